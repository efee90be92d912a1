// Reads the animation that the page carries: JSON with packed little-endian arrays in base64.

function bytes(text) {
  const raw = atob(text);
  const out = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) out[i] = raw.charCodeAt(i);
  return out;
}

const floats = (text) => new Float32Array(bytes(text).buffer);

function readMesh(mesh) {
  return {
    positions: floats(mesh.positions),
    normals: floats(mesh.normals),
    colors: mesh.colors ? floats(mesh.colors) : null,
    indices: new Uint32Array(bytes(mesh.indices).buffer),
  };
}

function readBody(body) {
  return { ...body, poses: floats(body.poses), exists: body.exists ? bytes(body.exists) : null };
}

function readDetails({ tracks, pairs, counts, contacts, curves }) {
  return {
    tracks: tracks.map((track) => ({ ...track, spans: floats(track.spans), pulls: floats(track.pulls) })),
    pairs,
    counts: new Uint32Array(bytes(counts).buffer),
    contacts: floats(contacts),
    curves: curves.map((curve) => ({ ...curve, values: floats(curve.values) })),
  };
}

/** Pictures that a server adds. */
export function readFrames({ times, bodies, details }) {
  return { times: new Float64Array(bytes(times).buffer), bodies: bodies.map(readBody), details: readDetails(details) };
}

export function readAnimation(text) {
  const data = JSON.parse(text);
  return {
    ...data,
    times: new Float64Array(bytes(data.times).buffer),
    meshes: data.meshes.map(readMesh),
    bodies: data.bodies.map((body, i) => ({ ...readBody(body), moving: data.live?.moving[i] })),
    details: readDetails(data.details),
  };
}
