import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { inRoot, root, run } from './run.mjs'

const stamp = inRoot('apps/web/build/.stamp')

const filesUnder = (folder) =>
  existsSync(folder)
    ? readdirSync(folder).flatMap((name) => {
        const file = path.join(folder, name)
        return statSync(file).isDirectory() ? filesUnder(file) : [file]
      })
    : []

const configs = () =>
  readdirSync(inRoot('apps/web'))
    .filter((name) => /\.(ts|json|html)$/.test(name))
    .map((name) => inRoot('apps/web', name))

function sources() {
  const packages = readdirSync(inRoot('packages')).map((name) => inRoot('packages', name, 'src'))
  const folders = [...['src', 'public', 'scripts'].map((name) => inRoot('apps/web', name)), ...packages]
  return [...folders.flatMap(filesUnder), ...configs(), inRoot('package-lock.json')].sort()
}

/** What the build is made from, as one hash of names and contents. */
function sourceHash() {
  const hash = createHash('sha256')
  for (const file of sources())
    hash
      .update(`${path.relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0')
  return hash.digest('hex')
}

/** Builds the web application when its sources changed; gives the exit code. */
export async function ensureBuild(options = {}) {
  const hash = sourceHash()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return 0
  console.log('Construction de l’application web…')
  const code = await run('npm', ['run', 'build', '--silent', '-w', 'apps/web'], options)
  if (code === 0) writeFileSync(stamp, hash)
  return code
}
