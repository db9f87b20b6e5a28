import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { inRoot } from './lib/run.mjs'

const { name, version } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'))
const given = process.argv[2] ?? `${name}-${version}.cdx.json`

/** What a release is made of, from the lock file alone: the same on every machine. */
const options = [
  'sbom',
  '--sbom-format',
  'cyclonedx',
  '--sbom-type',
  'application',
  '--omit',
  'dev',
  '--package-lock-only',
]
const text = execFileSync('npm', options, { cwd: inRoot(), encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
const bom = JSON.parse(text)
// npm names the folder; a release is named after its package.
bom.metadata.component = { ...bom.metadata.component, name, 'bom-ref': `${name}@${version}` }
writeFileSync(given, `${JSON.stringify(bom, null, 2)}\n`)
console.log(`${given} : CycloneDX ${bom.specVersion}, ${bom.components.length} composants.`)
