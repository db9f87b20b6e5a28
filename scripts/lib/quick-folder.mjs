import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const MEMORY = '/dev/shm'
const NAME = 'voisol-run-'
/** The demo twice, three PostgreSQL and what their tests write come to less than two of them; browsers want the rest. */
const GIGABYTE = 1024 ** 3
const ROOM = 4 * GIGABYTE
const LEFT = 4 * GIGABYTE

function availableMemory() {
  const [, kilobytes = '0'] = /^MemAvailable:\s+(\d+)/m.exec(readFileSync('/proc/meminfo', 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

function hasRoom() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= ROOM && availableMemory() >= ROOM + LEFT
  } catch {
    return false
  }
}

/**
 * Where databases that live as long as the run are made: in memory where there is plenty, since a copy of a template is
 * thousands of small files, which a disk takes ten times as long to make. TMPDIR, where it is given, decides.
 */
export const quickFolder = () => (!process.env.TMPDIR && hasRoom() ? MEMORY : tmpdir())

/** Of a run that was killed: what it left would stay in memory. */
function clear(folder) {
  for (const name of readdirSync(folder).filter((one) => one.startsWith(NAME)))
    if (!existsSync(`/proc/${name.slice(NAME.length)}`))
      rmSync(path.join(folder, name), { recursive: true, force: true })
}

/** From here on temporary files of this process and of those it starts are made there, and go with it. */
export function useQuickFolder() {
  const parent = quickFolder()
  if (parent !== MEMORY) return
  clear(parent)
  const folder = path.join(parent, `${NAME}${process.pid}`)
  mkdirSync(folder)
  // As root, PostgreSQL runs under another account that must reach its folder and make its own.
  chmodSync(folder, 0o1777)
  process.env.TMPDIR = folder
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(quickFolder())
