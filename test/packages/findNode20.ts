// The oldest Node that the package of the client promises to run on. Scripts of npm find this
// project's own Node first, so the path of the machine is searched without it.

import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** For machines with another Node: the same from the registry, without a script of its own. */
const packaged = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const release = '20.20.2';

/** The path of its program; `folder` takes what has to be installed. */
export async function findNode20(folder: string): Promise<string> {
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((place) => !place.includes('node_modules'))
    .join(delimiter);
  const asked = ['-p', 'JSON.stringify([process.version, process.execPath])'];
  const found = await run('node', asked, { env: { ...process.env, PATH: path } }).then(
    ({ stdout }) => JSON.parse(stdout) as [version: string, program: string],
    () => undefined,
  );
  if (found?.[0].startsWith('v20.') === true) return found[1];
  const project = join(folder, 'node20');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"private": true}');
  await run('npm', ['install', '--prefer-offline', '--no-audit', `${packaged}@${release}`], {
    cwd: project,
  });
  const program = process.platform === 'win32' ? 'node.exe' : 'node';
  return join(project, 'node_modules', packaged, 'bin', program);
}
