import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * What an earlier run found, for `--resume`: a fault that was caught, and how long a suite took, each as the files it
 * names were then. What those import may have changed since: a whole run forgets it all.
 */
export function openKept(file, root, isResumed) {
  const known = isResumed && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { caught: {}, took: {} }
  const keyOf = (files, more) => {
    const hash = createHash('sha256').update(JSON.stringify(more))
    for (const name of files) hash.update(`\0${name}\0`).update(readFileSync(path.join(root, name)))
    return hash.digest('hex').slice(0, 16)
  }
  const ofRow = ({ file: changed, find, replace, tests }) => keyOf([changed, ...tests], [find, replace])
  const ofTest = (test) => keyOf([test], [])
  const keep = (part, key, value) => {
    known[part][key] = value
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(known))
  }
  return {
    isCaught: (row) => ofRow(row) in known.caught,
    caught: (row) => keep('caught', ofRow(row), row.why),
    tookOf: (test) => known.took[ofTest(test)],
    took: (test, ms) => keep('took', ofTest(test), ms),
  }
}
