import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'

const MODULES = 'node_modules'
const OWN = '@voisol'

/** Packages are those of the checkout; the workspaces are the copy's own, or a fault in them would not be seen. */
function linkModules(root, copy) {
  mkdirSync(path.join(copy, MODULES, OWN), { recursive: true })
  for (const name of readdirSync(path.join(root, MODULES)))
    if (name !== OWN && !name.startsWith('.vi'))
      symlinkSync(path.join(root, MODULES, name), path.join(copy, MODULES, name))
  for (const name of readdirSync(path.join(root, MODULES, OWN))) {
    const target = readlinkSync(path.join(root, MODULES, OWN, name))
    symlinkSync(
      path.isAbsolute(target) ? path.join('../../', path.relative(root, target)) : target,
      path.join(copy, MODULES, OWN, name),
    )
  }
}

/** The checkout as it stands, changes included: faults are planted there, never in the working tree. */
export function makeCopy(root, copy) {
  rmSync(copy, { recursive: true, force: true })
  const listed = execFileSync('git', ['ls-files', '-coz', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  for (const file of listed.split('\0')) {
    const from = path.join(root, file)
    if (file && existsSync(from)) cpSync(from, path.join(copy, file), { verbatimSymlinks: true })
  }
  linkModules(root, copy)
  return copy
}
