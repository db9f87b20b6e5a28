import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

type ProcessInfo = { startedAt: string; command: string }

function readProcFile(pid: number): ProcessInfo | null {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  // A zombie still answers to signal 0, but its program has ended.
  if (fields[0] === 'Z' || fields[0] === 'X') return null
  return { startedAt: fields[19] ?? '', command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') }
}

function readPsOutput(pid: number): ProcessInfo | null {
  const line = execFileSync('ps', ['-o', 'lstart=,command=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  return line ? { startedAt: line.slice(0, 24), command: line.slice(24).trim() } : null
}

function inspectProcess(pid: number): ProcessInfo | null {
  try {
    return process.platform === 'linux' ? readProcFile(pid) : readPsOutput(pid)
  } catch {
    return null
  }
}

/** Process ids are reused: with the start time they identify one process. */
export const getProcessStart = (pid: number) => inspectProcess(pid)?.startedAt ?? null

export const isProcessRunning = (pid: number) => inspectProcess(pid) !== null

/** Whether this process is a PostgreSQL server, and the one of this cluster. */
export function isPostmaster(pid: number, cluster: string) {
  const command = inspectProcess(pid)?.command ?? ''
  return command.includes('postgres') && command.includes(cluster)
}

export const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Waits until a process is gone; false when it outlives the delay. */
export async function waitForProcessExit(pid: number, milliseconds: number) {
  const end = performance.now() + milliseconds
  while (isProcessRunning(pid)) {
    if (performance.now() > end) return false
    await sleep(20)
  }
  return true
}
