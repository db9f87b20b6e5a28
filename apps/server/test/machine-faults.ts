import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Why there is no shim. */
export const NO_COMPILER_REASON =
  'gcc is not installed: what moves the clock and slows the disk of a machine is compiled by it'

/**
 * Simulates faults of a machine for its programs, PostgreSQL included: clock jumps and a slow disk. Undefined where
 * there is no compiler to build it.
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
  // Written in place, because the programs map the file into memory.
  const set = (more: Partial<typeof state>) => {
    Object.assign(state, more)
    writeFileSync(file, encodeState(), { flag: 'r+' })
  }
  return {
    env: { LD_PRELOAD: shim, SHIM_FILE: file },
    /** Seconds by which the clock is ahead, and milliseconds added to each disk write. */
    set,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
