import type { DocEndpoint } from '@voisol/contract/api-docs'

export type Language = 'javascript' | 'python' | 'curl'
export const LANGUAGES = [
  { value: 'javascript', label: 'JavaScript' },
  { value: 'python', label: 'Python' },
  { value: 'curl', label: 'cURL' },
] as const

type Call = { url: string; method: string; signed: boolean; body: string | null }

const indent = (text: string, by: number) => text.replaceAll('\n', `\n${' '.repeat(by)}`)

function javascript({ url, method, signed, body }: Call) {
  const headers = [
    ...(signed ? ["Authorization: 'Bearer ' + token"] : []),
    ...(body ? ["'Content-Type': 'application/json'"] : []),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length ? [`  headers: { ${headers.join(', ')} },`] : []),
    ...(body ? [`  body: JSON.stringify(${indent(body, 2)}),`] : []),
  ]
  const given = options.length ? `, {\n${options.join('\n')}\n}` : ''
  return `const response = await fetch('${url}'${given})\nif (!response.ok) throw new Error((await response.json()).detail)\nconst data = await response.json()`
}

/** JSON and Python agree on everything but these three words. */
const pythonValue = (json: string) =>
  json.replace(
    /(?<=[:[,]\s*)\b(true|false|null)\b/g,
    (word) => ({ true: 'True', false: 'False', null: 'None' })[word] ?? word,
  )

function python({ url, method, signed, body }: Call) {
  const parts = [
    `    '${url}',`,
    ...(signed ? ["    headers={'Authorization': f'Bearer {token}'},"] : []),
    ...(body ? [`    json=${indent(pythonValue(body), 4)},`] : []),
  ]
  return `import requests\n\nresponse = requests.${method.toLowerCase()}(\n${parts.join('\n')}\n)\nresponse.raise_for_status()\ndata = response.json()`
}

function curl({ url, method, signed, body }: Call) {
  const parts = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${url}'`,
    ...(signed ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(body ? ["-H 'Content-Type: application/json'", `-d '${body.replaceAll("'", "'\\''")}'`] : []),
  ]
  return parts.join(' \\\n  ')
}

const WRITERS = { javascript, python, curl }

/** The same call in each language, as it can be pasted and run. */
export const snippet = (language: Language, endpoint: DocEndpoint, origin: string) =>
  WRITERS[language]({
    url: origin + endpoint.example.path,
    method: endpoint.method,
    signed: endpoint.signed,
    body: endpoint.example.body,
  })
