// Pictures and films of what the page shows.
import { zipSync } from "fflate";

const FILM_RATE = 30;
/** How long the last picture is filmed [ms]. */
const LAST_PICTURE = 300;
const FORMATS = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];

function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

/** The picture with the labels over it. */
function picture({ canvas, labels }) {
  const sheet = document.createElement("canvas");
  [sheet.width, sheet.height] = [canvas.width, canvas.height];
  const context = sheet.getContext("2d");
  context.drawImage(canvas, 0, 0);
  labels.paint(context, canvas.width / innerWidth);
  return new Promise((resolve) => sheet.toBlob(resolve, "image/png"));
}

/** A name for files from the title. */
export const fileName = (title) => title.split(/[ (]/)[0].replace(/[^\w.-]+/g, "_") || "animation";

export class Exporter {
  constructor(player) {
    this.player = player;
    this.name = fileName(player.animation.title);
    this.recorder = null;
    /** Whether a film is being taken. */
    this.runs = false;
  }

  /** Saves the present picture. */
  async png() {
    this.player.paint();
    save(await picture(this.player), `${this.name}.png`);
  }

  /** Saves all recorded frames as PNG in one archive. `progress(k, n)` is called for each. */
  async frames(progress) {
    const { times } = this.player.motion;
    const files = {};
    const before = this.player.clock.time;
    for (let k = 0; k < times.length; k++) {
      this.player.clock.playing = false;
      this.player.clock.seek(times[k]);
      this.player.paint();
      const blob = await picture(this.player);
      files[`${this.name}_${String(k).padStart(5, "0")}.png`] = [new Uint8Array(await blob.arrayBuffer()), { level: 0 }];
      progress(k + 1, times.length);
    }
    this.player.seek(before);
    save(new Blob([zipSync(files)], { type: "application/zip" }), `${this.name}_frames.zip`);
  }

  get films() {
    return Boolean(this.recorder);
  }

  /** Films from the start to the end at the speed of the bar; a second call ends it. `done()` is called at the end. */
  film(done) {
    if (this.recorder) return void (this.player.clock.playing = false);
    const mimeType = FORMATS.find((format) => window.MediaRecorder?.isTypeSupported(format));
    if (!mimeType) throw new Error("this browser records no WebM; save the frames instead");
    const { clock, canvas } = this.player;
    const parts = [];
    this.recorder = new MediaRecorder(canvas.captureStream(FILM_RATE), { mimeType, videoBitsPerSecond: 12e6 });
    this.recorder.ondataavailable = (event) => parts.push(event.data);
    this.recorder.onstop = () => {
      this.recorder = null;
      save(new Blob(parts, { type: "video/webm" }), `${this.name}.webm`);
      done();
    };
    this.player.set("loop", false);
    clock.playing = false;
    clock.seek(clock.start);
    this.player.changed();
    // The recorder takes a moment until it begins, and to take the last picture.
    this.recorder.onstart = () => (clock.playing = this.runs = true);
    this.recorder.start();
  }

  /** Ends a film when the playback has come to its end. */
  tick() {
    if (!this.runs || this.player.clock.playing) return;
    this.runs = false;
    setTimeout(() => this.recorder?.stop(), LAST_PICTURE);
  }
}
