import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

type Seen = { startedAt: string; command: string }

function seenInProc(pid: number): Seen | null {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  // A zombie still answers to signal 0, but nothing runs under its number any more.
  if (fields[0] === 'Z' || fields[0] === 'X') return null
  return { startedAt: fields[19] ?? '', command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') }
}

function seenByPs(pid: number): Seen | null {
  const line = execFileSync('ps', ['-o', 'lstart=,command=', '-p', String(pid)], { encoding: 'utf8' }).trim()
  return line ? { startedAt: line.slice(0, 24), command: line.slice(24).trim() } : null
}

function see(pid: number): Seen | null {
  try {
    return process.platform === 'linux' ? seenInProc(pid) : seenByPs(pid)
  } catch {
    return null
  }
}

/** A process number is reused: together with its start it names one process. */
export const startOf = (pid: number) => see(pid)?.startedAt ?? null

export const isRunning = (pid: number) => see(pid) !== null

/** Whether this process is a PostgreSQL server, and the one of this cluster. */
export function isPostmaster(pid: number, cluster: string) {
  const command = see(pid)?.command ?? ''
  return command.includes('postgres') && command.includes(cluster)
}

export const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Waits until a process is gone; false when it outlives the delay. */
export async function isGone(pid: number, milliseconds: number) {
  const end = performance.now() + milliseconds
  while (isRunning(pid)) {
    if (performance.now() > end) return false
    await pause(20)
  }
  return true
}
