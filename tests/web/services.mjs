// Programs for checks that start their own service, with their own settings or next to the simulators.

import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const program = process.env.RETOUCH;
const running = [];

// Stop all programs, however the check ends.
process.on('exit', () => running.forEach(({ child }) => child.kill()));

/** A port that is free now. */
export async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/** Starts the simulators and returns their address. */
export function startSim() {
  return start(join(dirname(program), 'retouch-sim'), [], {}, /listening on (\S+)/);
}

/** Starts a service with these settings and its own data folder, and returns its address. */
export async function startService(settings = {}) {
  const data = mkdtempSync(join(tmpdir(), 'retouch-check-'));
  const env = { RETOUCH_SERVER__LISTEN: '127.0.0.1:0', ...settings, RETOUCH_STORE__DATA_DIR: data };
  return start(program, ['serve'], env, / is ready at (\S+)/, data);
}

/** What a command prints that is run on the data folder of the service at `address`. */
export function printed(address, words) {
  const { data } = running.find((one) => one.address === address);
  return execFileSync(program, words, { encoding: 'utf8', env: { ...process.env, RETOUCH_STORE__DATA_DIR: data } }).trim();
}

/** Stops everything and verifies the ledger of each service. */
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
  const one = { child, ended, data };
  running.push(one);
  return new Promise((found, lost) => {
    let told = '';
    child.stdout.on('data', (piece) => {
      told += piece;
      const address = told.match(ready)?.[1];
      if (!address) return;
      one.address = address;
      found(address);
    });
    ended.then(() => lost(new Error(`${command} ended: ${told}`)));
  });
}
