import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const ENEDIS_PROGRAM_PATH = join(import.meta.dirname, '../src/sandbox/main.ts')

type TestSimulatorOptions = { store?: string; anchor?: string; demo?: boolean; quotas?: boolean; port?: number }
export type TestSimulator = {
  url: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what the sandbox really sent
  control(method: 'GET' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<any>
  stop(): Promise<void>
  child: ChildProcess
}

/** The distributor simulator process, for a test: without the demo's points and without quotas by default. */
export async function startTestSimulator(options: TestSimulatorOptions = {}): Promise<TestSimulator> {
  const { store, anchor, demo = false, quotas = false, port = 0 } = options
  const args = [ENEDIS_PROGRAM_PATH, '--with-parent', '--port', String(port)]
  if (store) args.push('--store', store)
  if (anchor) args.push('--anchor', anchor)
  if (!demo) args.push('--no-demo')
  if (!quotas) args.push('--no-quotas')
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const gone = once(child, 'exit')
  const line = once(createInterface({ input: child.stdout }), 'line').then(([text]) => String(text))
  const first = await Promise.race([
    line,
    gone.then(([code]) => Promise.reject(new Error(`the sandbox left: ${code}`))),
  ])
  const { url } = JSON.parse(first) as { url: string } // the single line it prints
  return {
    url,
    child,
    async control(method, path, body) {
      const answer = await fetch(`${url}/_sandbox/${path}`, {
        method,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const said = await answer.json()
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(said)}`)
      return said
    },
    async stop() {
      child.kill('SIGTERM')
      await gone
    },
  }
}
