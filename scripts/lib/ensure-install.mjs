import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fail, inRoot, root } from './run.mjs'

const lockfile = inRoot('package-lock.json')
const stamp = inRoot('node_modules/.voisol-lock')
const installed = inRoot('node_modules/.package-lock.json')

const lockHash = () => createHash('sha256').update(readFileSync(lockfile)).digest('hex')

function isInstalled(hash) {
  if (!existsSync(installed)) return false
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return true
  // Somebody ran npm by hand since the lockfile changed.
  return statSync(installed).mtimeMs >= statSync(lockfile).mtimeMs
}

/** npm replaces node_modules, so it must not run on the Node that lives there. */
const pathOutsideModules = () =>
  (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((entry) => !entry.endsWith(path.join('node_modules', '.bin')))
    .join(path.delimiter)

/** Installs the dependencies when they are missing or older than the lockfile. */
export function ensureInstall() {
  const hash = lockHash()
  if (!isInstalled(hash)) {
    console.log('Installation des dépendances…')
    const { status } = spawnSync('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, PATH: pathOutsideModules() },
      shell: process.platform === 'win32',
    })
    if (status !== 0) fail('L’installation a échoué. Vérifiez le réseau, puis lancez «\u00a0npm install\u00a0».')
  }
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== hash) writeFileSync(stamp, hash)
}
