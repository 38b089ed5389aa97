// Programs for checks that need the service otherwise than `run` starts it: with settings of their
// own, beside the stand-ins for vendors.

import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const program = process.env.RETOUCH;
const running = [];

// However a check ends, nothing goes on running.
process.on('exit', () => running.forEach(({ child }) => child.kill()));

/** A port that nobody has at this moment. */
export async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/** The stand-ins for vendors; their address. */
export function startSim() {
  return start(join(dirname(program), 'retouch-sim'), [], {}, /listening on (\S+)/);
}

/** The service with settings of its own and a data folder of its own; its address. */
export async function startService(settings = {}) {
  const data = mkdtempSync(join(tmpdir(), 'retouch-check-'));
  const env = { RETOUCH_SERVER__LISTEN: '127.0.0.1:0', ...settings, RETOUCH_STORE__DATA_DIR: data };
  return start(program, ['serve'], env, / is ready at (\S+)/, data);
}

/** Stops all of it; the books have to balance. */
export async function stopAll() {
  for (const { child, ended, data } of running.splice(0)) {
    child.kill();
    await ended;
    if (!data) continue;
    execFileSync(program, ['credits', 'verify'], { env: { ...process.env, RETOUCH_STORE__DATA_DIR: data } });
    rmSync(data, { recursive: true });
  }
}

function start(command, words, env, ready, data) {
  const child = spawn(command, words, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'ignore'], cwd: data });
  const ended = new Promise((done) => child.once('exit', done));
  running.push({ child, ended, data });
  return new Promise((found, lost) => {
    let told = '';
    child.stdout.on('data', (piece) => {
      told += piece;
      const address = told.match(ready)?.[1];
      if (address) found(address);
    });
    ended.then(() => lost(new Error(`${command} ended: ${told}`)));
  });
}
