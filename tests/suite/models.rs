//! One test for each model of `fmus/`: they run in parallel, and a failure names its model.
#![allow(clippy::unwrap_used)]

/// Makes a module with one test for each model, which calls `$check` with the interface of the model.
macro_rules! for_each_model {
    ($check:ident) => {
        $crate::models::for_each_model! { $check:
            AndrewsSqueezer BacklashDrive BallBearing BallOnCushion Billiards16 Billiards4 BilliardsRigid BlockOverEdge BlockOverEdgeRigid BouncingSphere
            BoxPlanarMotion BoxStack BricardLinkage BrickWall CarOnTerrain ChainCollision ConveyorSorting CylinderStands Dominoes DoublePendulum
            DoubleWishbone ForceGallery FourBar FourBar2 FreeTop GaltonBoard GearPair GripperWithInputs HeapOf50 HeatRod HeatedBrake
            MeshBody Mobile MoveFourBar NFourBar NewtonsCradle Pendulum PointMassRocket PoolBreak R3Robot Rattleback RimlessWheel
            RobotArray RockingBlock RollingDisc SampledServo ServoArm SheetCollision SliderCrank SlidingAndRollingBall SlidingLadder SpherePile SpringMass StewartPlatform
            StickSlip TiltingTable TippeTop TwoCollidingBalls TwoStageRocket3D Walker WalkingRobot WoodpeckerToy YouBotAttach YouBotBounce YouBotBox
            YouBotBoxGrip YouBotContact YouBotDrives YouBotLine
        }
    };
    ($check:ident: $($model:ident)*) => {
        #[allow(non_snake_case, dead_code)]
        pub mod $check {
            $(
                #[test]
                fn $model() {
                    super::$check(&$crate::models::interface(stringify!($model)));
                }
            )*

            /// All models that have a test.
            pub const MODELS: &[&str] = &[$(stringify!($model)),*];
        }
    };
}
pub(crate) use for_each_model;

use std::path::Path;
use std::sync::Arc;

use multibody_fmu::Interface;

/// The interface of a model by its folder in `fmus/`.
pub fn interface(model: &str) -> Arc<Interface> {
    crate::support::interface(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fmus").join(model))
}

#[test]
fn the_list_of_models_is_complete() {
    let folders = crate::support::model_folders();
    let names: Vec<_> = folders.iter().map(|folder| folder.file_name().unwrap().to_str().unwrap()).collect();
    assert_eq!(crate::golden::MODELS, names, "the list is in tests/suite/models.rs");
}
