import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'

const ROOT = path.join(import.meta.dirname, '../../..')
const CACHE_FOLDER = path.join(ROOT, '.cache/programs')
const SOURCES = ['apps/{server,simulator}/{src,test}/**/*.ts', 'packages/*/src/**/*.ts', 'package-lock.json']

function computeSourcesKey(): string {
  const hash = createHash('sha256')
  for (const file of globSync(SOURCES, { cwd: ROOT }).sort()) {
    if (file.endsWith('.test.ts')) continue
    const { size, mtimeMs } = statSync(path.join(ROOT, file))
    hash.update(`${file} ${size} ${mtimeMs}\0`)
  }
  return hash.digest('hex').slice(0, 16)
}

function buildPrograms(folder: string) {
  const draft = `${folder}.${process.pid}`
  mkdirSync(CACHE_FOLDER, { recursive: true })
  for (const name of readdirSync(CACHE_FOLDER))
    if (!name.startsWith(path.basename(folder))) rmSync(path.join(CACHE_FOLDER, name), { recursive: true, force: true })
  execFileSync(process.execPath, [path.join(import.meta.dirname, 'bundle-programs.ts'), draft])
  // If another process was quicker, its folder is used.
  if (!existsSync(folder)) renameSync(draft, folder)
  rmSync(draft, { recursive: true, force: true })
}

let programsFolder: string | undefined

/**
 * The bundle of a program of the server that tests start as a process, made once for these sources: it starts with a
 * third of the processor time that Node needs to load a thousand source files.
 */
export function getBundledProgram(file: string): string {
  if (!programsFolder) {
    programsFolder = path.join(CACHE_FOLDER, computeSourcesKey())
    if (!existsSync(programsFolder)) buildPrograms(programsFolder)
  }
  return path.join(programsFolder, path.relative(ROOT, file).replace(/\.ts$/, '.mjs'))
}
