//! The shared library of an FMU.

use std::path::Path;

use fmi::fmi2::binding::Fmi2Binding;
use fmi::fmi2::import::Fmi2Import;
use fmi::traits::FmiImport;

use super::{Description, Fmu};
use crate::error::{Error, Result};
use crate::package::platform;

/// A library that was loaded and has all functions.
pub struct Library {
    pub(super) import: Fmi2Import,
    /// Model description.
    pub description: Description,
}

impl Library {
    /// Loads the library for this platform.
    ///
    /// # Errors
    /// Libraries that are missing, cannot be loaded or lack functions of FMI 2.0 for co-simulation.
    pub fn load(fmu: Fmu, path: &Path) -> Result<Self> {
        let Fmu { description, folder, .. } = fmu;
        let library = platform::library_in_archive(&description.model_identifier);
        if !folder.path().join(&library).is_file() {
            return Err(Error::failed(format!(
                "{} has no library for this platform: {library} is missing",
                path.display()
            )));
        }
        let failed =
            |cause: fmi::Error| Error::failed(format!("{library} in {} cannot be loaded: {cause}", path.display()));
        let import = Fmi2Import::new(folder, &essentials(&description)).map_err(failed)?;
        let binding = import.binding(&description.model_identifier).map_err(failed)?;
        let missing = missing_functions(&binding);
        if !missing.is_empty() {
            return Err(Error::failed(format!("{library} in {} lacks {}", path.display(), missing.join(", "))));
        }
        Ok(Self { import, description })
    }
}

/// The few facts by which the host crate loads and instantiates: its own reader refuses valid files that have, for
/// example, a namespace on the root element.
fn essentials(description: &Description) -> String {
    format!(
        "<fmiModelDescription fmiVersion=\"2.0\" modelName=\"{}\" guid=\"{}\"><CoSimulation modelIdentifier=\"{}\"/></fmiModelDescription>",
        quick_xml::escape::escape(&description.model_name),
        quick_xml::escape::escape(&description.guid),
        description.model_identifier
    )
}

/// Makes `missing_functions` from the list of the standard's functions, which are fields of the binding.
macro_rules! functions {
    ($($name:ident)*) => {
        /// Names of the functions of FMI 2.0 for co-simulation.
        pub const FUNCTIONS: &[&str] = &[$(stringify!($name)),*];

        fn missing_functions(binding: &Fmi2Binding) -> Vec<&'static str> {
            let found = [$(binding.$name.is_ok()),*];
            FUNCTIONS.iter().zip(found).filter(|(_, found)| !found).map(|(name, _)| *name).collect()
        }
    };
}

functions! {
    fmi2GetTypesPlatform fmi2GetVersion fmi2SetDebugLogging fmi2Instantiate fmi2FreeInstance fmi2SetupExperiment
    fmi2EnterInitializationMode fmi2ExitInitializationMode fmi2Terminate fmi2Reset
    fmi2GetReal fmi2GetInteger fmi2GetBoolean fmi2GetString fmi2SetReal fmi2SetInteger fmi2SetBoolean fmi2SetString
    fmi2GetFMUstate fmi2SetFMUstate fmi2FreeFMUstate fmi2SerializedFMUstateSize fmi2SerializeFMUstate
    fmi2DeSerializeFMUstate fmi2GetDirectionalDerivative
    fmi2SetRealInputDerivatives fmi2GetRealOutputDerivatives fmi2DoStep fmi2CancelStep
    fmi2GetStatus fmi2GetRealStatus fmi2GetIntegerStatus fmi2GetBooleanStatus fmi2GetStringStatus
}

#[cfg(test)]
mod tests {
    use super::FUNCTIONS;

    #[test]
    fn co_simulation_has_34_functions() {
        assert_eq!(FUNCTIONS.len(), 34);
    }
}
