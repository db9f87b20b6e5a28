import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Why there is none. */
export const NO_COMPILER_REASON =
  'gcc is not installed: what moves the clock and slows the disk of a machine is compiled by it'

/**
 * What a whole machine does to the programs on it, PostgreSQL included: its clock jumps, its disk takes its time. Undefined
 * where there is no compiler to make it with.
 */
export function createMachineShim() {
  const folder = mkdtempSync(join(tmpdir(), 'voisol-machine-'))
  // PostgreSQL may run under another account.
  chmodSync(folder, 0o755)
  const [shim, file] = [join(folder, 'shim.so'), join(folder, 'state')]
  const source = join(import.meta.dirname, 'shim.c')
  try {
    execFileSync('gcc', ['-shared', '-fPIC', '-O2', '-o', shim, source, '-ldl'], { stdio: 'ignore' })
  } catch {
    rmSync(folder, { recursive: true })
    return undefined
  }
  const state = { seconds: 0, syncMs: 0 }
  const encodeState = () => new BigInt64Array([BigInt(state.seconds), BigInt(state.syncMs)])
  writeFileSync(file, encodeState(), { mode: 0o644 })
  // In its place: the programs hold it in their memory.
  const set = (more: Partial<typeof state>) => {
    Object.assign(state, more)
    writeFileSync(file, encodeState(), { flag: 'r+' })
  }
  return {
    env: { LD_PRELOAD: shim, SHIM_FILE: file },
    /** Seconds that its clock is ahead, milliseconds that each write to its disk takes. */
    set,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
