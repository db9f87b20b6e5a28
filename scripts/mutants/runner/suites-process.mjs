import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { currentNode, withCommands } from '../../lib/run.mjs'

const SUITES = fileURLToPath(new URL('./suites.mjs', import.meta.url))
const START_MS = 120_000
const KEPT = 2000

/**
 * A process group of its own: a fault that loops for ever is ended with all that it started. Isolated where faults are
 * planted: one that a process had loaded would outlive its run.
 */
export async function startSuites(copy, url, isIsolated) {
  const env = withCommands({ TEST_DATABASE_URL: url, TEST_ISOLATED: isIsolated ? '1' : undefined })
  const child = fork(SUITES, { cwd: copy, detached: true, silent: true, execPath: currentNode(), env })
  let said = ''
  const keep = (text) => {
    said = (said + text).slice(-KEPT)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)

  const kill = () => {
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It has ended already.
    }
  }
  process.on('exit', kill)
  const stop = () => {
    process.off('exit', kill)
    kill()
  }

  const answer = (ms) =>
    new Promise((resolve) => {
      const settle = (result) => {
        clearTimeout(timer)
        child.off('message', settle)
        child.off('exit', leave)
        resolve(result)
      }
      const leave = () => settle({ verdict: 'gone', message: said })
      const timer = setTimeout(settle, ms, { verdict: 'late' })
      child.on('message', settle)
      child.on('exit', leave)
    })
  const run = (message, ms) => {
    const result = answer(ms)
    child.send(message)
    return result
  }

  const { verdict, message } = await answer(START_MS)
  if (verdict === 'ready') return { run, stop }
  stop()
  throw new Error(`Les tests n’ont pas démarré\u00a0: ${message}`)
}
