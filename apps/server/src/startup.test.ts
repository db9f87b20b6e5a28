import { expect, test } from 'vitest'
import { createUnavailableError } from './db/database-unavailable.ts'
import { createStartSteps, StartupError } from './startup.ts'

const FAST = { everyMs: 60_000, patienceMs: 1000, againMs: 1 }
const buildRefusedError = () => Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
const buildTimeoutError = () => new Error('wrapped', { cause: new Error('timeout exceeded when trying to connect') })

/** Fails so many times, then succeeds. */
function createFailingStep(times: number, error: () => Error) {
  let tries = 0
  return async () => {
    if (tries++ < times) throw error()
    return tries
  }
}

test('a step delayed by the database is retried, and each try is reported', async () => {
  const lines: string[] = []
  const step = createStartSteps({ ...FAST, say: (line) => lines.push(line) })
  expect(await step('ouverture', createFailingStep(2, buildTimeoutError))).toBe(3)
  expect(lines).toEqual(
    Array(2).fill('  … ouverture\u00a0: la base de données tarde à répondre, nouvel essai (0\u00a0s)'),
  )
})

test('an address without a listener fails at once, unless the database has answered before', async () => {
  const step = createStartSteps({ ...FAST, say: () => {} })
  await expect(step('connexion', createFailingStep(1, buildRefusedError))).rejects.toThrow('connect')
  await step('connexion', async () => {})
  expect(await step('lecture', createFailingStep(1, buildRefusedError))).toBe(2)
})

test('other errors are thrown as they are, as is a database unavailable for too long', async () => {
  const step = createStartSteps({ ...FAST, patienceMs: 0, say: () => {} })
  await expect(
    step(
      'connexion',
      createFailingStep(1, () => new StartupError('non')),
    ),
  ).rejects.toThrow('non')
  await expect(step('connexion', createFailingStep(9, createUnavailableError))).rejects.toThrow('does not answer')
})

test('a long step is reported while it lasts', async () => {
  const lines: string[] = []
  const said = Promise.withResolvers<void>()
  const step = createStartSteps({
    ...FAST,
    everyMs: 1,
    say(line) {
      lines.push(line)
      said.resolve()
    },
  })
  await step('préparation', () => said.promise)
  expect(lines[0]).toMatch(/^ {2}… préparation \(\d+\ss\)$/)
})
