import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const PAYMENT_PROGRAM_PATH = join(import.meta.dirname, '../src/sandbox/payments/main.ts')
export const SIMULATOR_PAYMENT_KEY = 'sk_test_essai0001'
export type TestPaymentSimulator = Awaited<ReturnType<typeof startTestPaymentSimulator>>

/** The payment simulator process, for a test. */
export async function startTestPaymentSimulator() {
  const child = spawn(process.execPath, [PAYMENT_PROGRAM_PATH, '--with-parent'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const gone = once(child, 'exit')
  const line = once(createInterface({ input: child.stdout }), 'line').then(([text]) => String(text))
  const first = await Promise.race([
    line,
    gone.then(([code]) => Promise.reject(new Error(`the sandbox left: ${code}`))),
  ])
  const { url } = JSON.parse(first) as { url: string } // the single line it prints
  return {
    url,
    // biome-ignore lint/suspicious/noExplicitAny: a test reads what the sandbox really sent
    async control(method: 'GET' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<any> {
      const more = body === undefined ? {} : { body: JSON.stringify(body) }
      const answer = await fetch(`${url}/_sandbox/${path}`, { method, ...more })
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

/** Submits the form of the payment page. */
export async function submitPaymentForm(page: string, fields: Record<string, string>) {
  const answer = await fetch(page, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
  return { status: answer.status, location: answer.headers.get('location'), text: await answer.text() }
}
export const VALID_CARD = { card: '4242 4242 4242 4242', expiry: '12/34', cvc: '123' }
