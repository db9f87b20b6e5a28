import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ERRORS } from './errors.ts'
import { api, endpoints } from './index.ts'

const table = endpoints.map((e) => [`${e.method} ${e.path}`, e] as const)

test('no two endpoints share a method and a path', () => {
  expect(new Set(table.map(([name]) => name)).size).toBe(table.length)
  expect(endpoints).toHaveLength(Object.values(api).flatMap(Object.keys).length)
})

describe('an endpoint of the contract', () => {
  test.each(table)('%s is well formed', (_, e) => {
    const inPath = [...e.path.matchAll(/:(\w+)/g)].map(([, name]) => name)
    expect(Object.keys(e.params?.shape ?? {})).toEqual(inPath)
    expect(e.path).toMatch(/^\/api(\/(:[a-z][A-Za-z0-9]*|[a-z0-9-]+))+$/)
    expect(e.summary).toMatch(/^[A-ZÀÉÊ][^'"]{2,60}[^.]$/)
    if (e.method === 'GET') expect(e.body).toBeUndefined()
  })

  test.each(table.filter(([, e]) => e.body))('%s refuses unknown fields', (_, e) => {
    // A union of kinds is checked member by member.
    const kinds = e.body instanceof z.ZodDiscriminatedUnion ? (e.body.options as z.ZodType[]) : [e.body]
    for (const body of kinds) {
      const result = body?.safeParse({ isAdmin: true, companyId: 1, nobodyKnowsThis: 1 })
      expect(result?.error?.issues.some(({ code }) => code === 'unrecognized_keys')).toBe(true)
    }
  })

  test.each(table)('%s can be written as JSON Schema', (_, e) => {
    for (const schema of [e.params, e.query, e.body, e.response])
      if (schema instanceof z.ZodType)
        expect(() => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })).not.toThrow()
  })
})

test('every failure has a status and a French sentence', () => {
  for (const [code, [status, message]] of Object.entries(ERRORS)) {
    expect(code).toMatch(/^[a-z]+(-[a-z]+)*$/)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(message).toMatch(/^[A-ZÀÉÊ][^'"]*\.$/)
  }
})

describe('messages about invalid values', () => {
  const message = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues[0]?.message
  test.each([
    [z.string(), 1, 'Valeur inattendue\u00a0: un texte est attendu.'],
    [z.string(), undefined, 'Ce champ est obligatoire.'],
    [z.string().min(1), '', 'Ce champ est obligatoire.'],
    [z.string().min(12), 'x', 'Au moins 12 caractères.'],
    [z.string().max(1), 'xx', 'Au plus 1 caractère.'],
    [z.email(), 'x', 'Adresse e-mail attendue, par exemple nom@exemple.fr.'],
    [z.enum(['a', 'b']), 'c', 'Valeur attendue\u00a0: a, b.'],
    [z.strictObject({}), { x: 1 }, 'Champ inconnu\u00a0: x.'],
    [z.coerce.number(), 'abc', 'Un nombre est attendu.'],
    [z.number().min(3), 1, 'La valeur doit être au moins 3.'],
  ])('%# are in French', (schema, value, text) => {
    expect(message(schema, value)).toBe(text)
  })
})
