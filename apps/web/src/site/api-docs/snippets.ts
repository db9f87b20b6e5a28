import type { DocEndpoint } from '@voisol/contract/api-docs'

export type Language = 'javascript' | 'python' | 'curl'
export const LANGUAGES = [
  { value: 'javascript', label: 'JavaScript' },
  { value: 'python', label: 'Python' },
  { value: 'curl', label: 'cURL' },
] as const

type SnippetCall = { url: string; method: string; signed: boolean; body: string | null }

const indentLines = (text: string, by: number) => text.replaceAll('\n', `\n${' '.repeat(by)}`)

function buildJavascriptSnippet({ url, method, signed, body }: SnippetCall) {
  const headers = [
    ...(signed ? ["Authorization: 'Bearer ' + token"] : []),
    ...(body ? ["'Content-Type': 'application/json'"] : []),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(headers.length ? [`  headers: { ${headers.join(', ')} },`] : []),
    ...(body ? [`  body: JSON.stringify(${indentLines(body, 2)}),`] : []),
  ]
  const optionsArgument = options.length ? `, {\n${options.join('\n')}\n}` : ''
  return `const response = await fetch('${url}'${optionsArgument})\nif (!response.ok) throw new Error((await response.json()).detail)\nconst data = await response.json()`
}

/** JSON and Python agree on everything but these three words. */
const toPythonLiteral = (json: string) =>
  json.replace(
    /(?<=[:[,]\s*)\b(true|false|null)\b/g,
    (word) => ({ true: 'True', false: 'False', null: 'None' })[word] ?? word,
  )

function buildPythonSnippet({ url, method, signed, body }: SnippetCall) {
  const parts = [
    `    '${url}',`,
    ...(signed ? ["    headers={'Authorization': f'Bearer {token}'},"] : []),
    ...(body ? [`    json=${indentLines(toPythonLiteral(body), 4)},`] : []),
  ]
  return `import requests\n\nresponse = requests.${method.toLowerCase()}(\n${parts.join('\n')}\n)\nresponse.raise_for_status()\ndata = response.json()`
}

function buildCurlSnippet({ url, method, signed, body }: SnippetCall) {
  const parts = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}'${url}'`,
    ...(signed ? ['-H "Authorization: Bearer $TOKEN"'] : []),
    ...(body ? ["-H 'Content-Type: application/json'", `-d '${body.replaceAll("'", "'\\''")}'`] : []),
  ]
  return parts.join(' \\\n  ')
}

const SNIPPET_BUILDERS = { javascript: buildJavascriptSnippet, python: buildPythonSnippet, curl: buildCurlSnippet }

/** The same call in each language, as it can be pasted and run. */
export const buildSnippet = (language: Language, endpoint: DocEndpoint, origin: string) =>
  SNIPPET_BUILDERS[language]({
    url: origin + endpoint.example.path,
    method: endpoint.method,
    signed: endpoint.signed,
    body: endpoint.example.body,
  })
