import { expect, test } from 'vitest'
import { useServer } from '../../../../test/server.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { parseAndCountWords } from '../../../prose/cached-prose.ts'
import { parseStoredTexts, parseTypedText } from './stored-content.ts'

const server = useServer()
const long = (n: number) => `## Titre ${n}\n\n${'Un toit partagé. '.repeat(80)}`

/** The pool, with a note of what it was asked. */
function watched(answer: (texts: string[]) => Promise<unknown>) {
  const asked: { task: string; texts: string[]; patient: boolean | undefined }[] = []
  const compute = (async (task: string, texts: string[], { patient }: { patient?: boolean }) => {
    asked.push({ task, texts, patient })
    return answer(texts)
  }) as unknown as Deps['compute'] // one task of the table
  return { ctx: { db: server.db, compute }, asked }
}

test('texts are read beside the server, together and once; those of a few lines where they are', async () => {
  const { ctx, asked } = watched(async (texts) => texts.map(parseAndCountWords))
  const [one, two, short] = [long(1), long(2), 'Court.']
  const [first, second, third] = await parseStoredTexts(ctx, [one, two, short, one])
  expect([first?.words, second?.words, third?.words]).toEqual([241 + 1, 241 + 1, 1])
  expect(await parseTypedText(ctx, one, 'body')).toBe(first)
  expect(asked).toEqual([{ task: 'content.prose', texts: [one, two], patient: true }])
})

test('one that takes too long is refused at its field, and not tried again at once; one that had no turn is', async () => {
  const tangled = `${'*'.repeat(2000)}a`
  const { ctx, asked } = watched(() => Promise.reject(new AppError('compute-time')))
  for (let time = 0; time < 2; time++)
    await expect(parseTypedText(ctx, tangled, 'draft.body')).rejects.toMatchObject({
      status: 422,
      issues: [{ path: 'draft.body', message: expect.stringContaining('trop imbriqué') }],
    })
  expect(asked).toMatchObject([{ patient: false }])
  const busy = watched(() => Promise.reject(new AppError('compute-busy')))
  for (let time = 0; time < 2; time++)
    await expect(parseTypedText(busy.ctx, long(3), 'body')).rejects.toMatchObject({ status: 429 })
  expect(busy.asked).toHaveLength(2)
})
