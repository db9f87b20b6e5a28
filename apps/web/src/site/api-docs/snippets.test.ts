import type { DocEndpoint } from '@voisol/contract/api-docs'
import { expect, test } from 'vitest'
import { buildSnippet } from './snippets.ts'

const endpoint: DocEndpoint = {
  id: 'operations.create',
  tab: 'operations',
  method: 'POST',
  path: '/api/acc-operations',
  summary: 'Créer une opération',
  access: 'Droit nécessaire',
  signed: true,
  fields: [],
  example: {
    path: '/api/acc-operations',
    body: '{\n  "name": "L’école",\n  "open": true,\n  "note": null\n}',
    status: 200,
    response: '{}',
  },
  errors: [],
  tryable: false,
}
const ORIGIN = 'https://voisol.fr'

test('JavaScript carries the token and the body', () => {
  const code = buildSnippet('javascript', endpoint, ORIGIN)
  expect(code).toContain("fetch('https://voisol.fr/api/acc-operations', {")
  expect(code).toContain("method: 'POST'")
  expect(code).toContain("'Bearer ' + token")
  expect(code).toContain('"open": true')
})

test('Python writes its own words for true and null', () => {
  const code = buildSnippet('python', endpoint, ORIGIN)
  expect(code).toContain('requests.post(')
  expect(code).toContain('"open": True')
  expect(code).toContain('"note": None')
})

test('cURL can be pasted into a shell', () => {
  const quoted = { ...endpoint, example: { ...endpoint.example, body: `{"name": "L'école"}` } }
  expect(buildSnippet('curl', quoted, ORIGIN)).toContain(`-d '{"name": "L'\\''école"}'`)
  const read = { ...endpoint, method: 'GET', signed: false, example: { ...endpoint.example, body: null } }
  expect(buildSnippet('curl', read, ORIGIN)).toBe("curl 'https://voisol.fr/api/acc-operations'")
})

test('a call that is open to all carries no token, in any language', () => {
  const login = { ...endpoint, access: 'Ouvert à tous.', signed: false }
  for (const language of ['javascript', 'python', 'curl'] as const)
    expect(buildSnippet(language, login, ORIGIN)).not.toMatch(/bearer|token/i)
})
