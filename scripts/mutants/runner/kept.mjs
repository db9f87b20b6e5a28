import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const keyOf = (root, files, more) => {
  const hash = createHash('sha256').update(JSON.stringify(more))
  for (const name of files) hash.update(`\0${name}\0`).update(readFileSync(path.join(root, name)))
  return hash.digest('hex').slice(0, 16)
}

/**
 * The faults that were killed, kept with the code: each as the files it names were then. What those import may have
 * changed since: `--again` forgets it all. A line whose files have changed is left out the next time it is written.
 */
export function openKilled(file, root, all, isForgotten) {
  const ofRow = ({ file: changed, find, replace, tests }) => keyOf(root, [changed, ...tests], [find, replace])
  const keys = new Map(all.map((row) => [row, ofRow(row)]))
  const lines = !isForgotten && existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []
  const killed = new Set(lines.filter(Boolean))
  const write = () => {
    const held = [...keys.values()].filter((key) => killed.has(key))
    writeFileSync(
      file,
      [...new Set(held)]
        .sort()
        .map((key) => `${key}\n`)
        .join(''),
    )
  }
  return {
    isKilled: (row) => killed.has(keys.get(row)),
    add: (row) => {
      killed.add(keys.get(row))
      write()
    },
  }
}

/** How long a suite took at this commit: an interrupted run does not measure it again. */
export function openTook(file, root, commit) {
  const known = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  const ofTest = (test) => keyOf(root, [test], [commit])
  return {
    of: (test) => known[ofTest(test)],
    add: (test, ms) => {
      known[ofTest(test)] = ms
      mkdirSync(path.dirname(file), { recursive: true })
      writeFileSync(file, JSON.stringify(known))
    },
  }
}
