import type { Endpoint, EndpointInput, EndpointReply } from '@voisol/contract/endpoint'
import { Problem } from '@voisol/contract/errors'
import { z } from 'zod'
import { explainError } from './error-text.ts'
import { randomId } from './random-id.ts'
import { renewToken } from './renewal.ts'
import { buildAuthorizationHeaders, readStorage, TOKEN } from './storage.ts'

/** `message` is the status and the body, as specified; `detail` is the sentence to show. */
export class ApiError extends Error {
  readonly status: number
  readonly problem: Problem | undefined
  constructor(status: number, text: string) {
    super(`${status}: ${text}`)
    this.status = status
    this.problem = parseProblem(text)
  }
  get code() {
    return this.problem?.code ?? 'unknown'
  }
  get requestId() {
    return this.problem?.requestId
  }
  get detail() {
    return this.problem?.detail ?? 'Le serveur n’a pas répondu comme prévu. Réessayez dans un instant.'
  }
}

function parseProblem(text: string): Problem | undefined {
  try {
    return Problem.safeParse(JSON.parse(text)).data
  } catch {
    return undefined
  }
}

const DEFAULT_TIMEOUT_SECONDS = 30
/** As long as the endpoint says that it may take. */
const getTimeoutMs = ({ timeout = DEFAULT_TIMEOUT_SECONDS }: Endpoint) => timeout * 1000

export const buildEndpointUrl = (e: Endpoint, input: object): string => {
  const { params = {}, query = {} } = input as { params?: Record<string, unknown>; query?: Record<string, unknown> } // parts an endpoint may declare
  const path = e.path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(String(params[key])))
  const filledParams = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const search = new URLSearchParams(filledParams.map(([key, value]) => [key, String(value)])).toString()
  return search ? `${path}?${search}` : path
}

let refusalListener = (_: ApiError) => {}
/** Whoever keeps the session hears of every refusal, whichever way the call was made. */
export function onRefusal(listener: (error: ApiError) => void): () => void {
  refusalListener = listener
  return () => {
    refusalListener = () => {}
  }
}

/** Every write names itself, so that sending it once more after a lost answer has no second effect. */
export const buildIdempotencyHeader = ({ method }: Endpoint, key = randomId()): Record<string, string> =>
  method === 'GET' ? {} : { 'idempotency-key': key }

function sendRequest(e: Endpoint, input: object, key: string): Promise<Response> {
  const file = 'upload' in input && input.upload instanceof Blob ? input.upload : undefined
  const json = 'body' in input && input.body !== undefined ? JSON.stringify(input.body) : undefined
  const body = file ?? json
  return fetch(buildEndpointUrl(e, input), {
    method: e.method,
    credentials: 'include',
    signal: AbortSignal.timeout(getTimeoutMs(e)),
    headers: {
      ...buildAuthorizationHeaders(),
      ...(body === undefined ? {} : { 'content-type': file ? 'application/octet-stream' : 'application/json' }),
      ...buildIdempotencyHeader(e, key),
    },
    ...(body === undefined ? {} : { body }),
  })
}

const readApiError = async (response: Response) =>
  new ApiError(response.status, (await response.text()) || response.statusText)

/** A wrong password is a 401 too: only these say that the token is over. */
export const isTokenRejected = (error: unknown) =>
  error instanceof ApiError && error.status === 401 && ['unauthenticated', 'session-expired'].includes(error.code)

async function request(e: Endpoint, input: object, key = randomId()): Promise<Response> {
  const used = readStorage(TOKEN)
  let response = await sendRequest(e, input, key)
  if (response.ok) return response
  let error = await readApiError(response)
  // A token ends within the hour, or when another tab renews it: the call goes again with the one that follows.
  if (used && isTokenRejected(error) && (await renewToken(used))) {
    response = await sendRequest(e, input, key)
    if (response.ok) return response
    error = await readApiError(response)
  }
  refusalListener(error)
  throw error
}

/** Calls an endpoint of the contract. Whoever may try again gives the key of the call, and the same one each time. */
export async function call<E extends Endpoint>(e: E, input: EndpointInput<E>, key?: string): Promise<EndpointReply<E>> {
  const response = await request(e, input, key)
  if (!(e.response instanceof z.ZodType)) throw new Error(`${e.path} answers with a file: use download()`)
  return e.response.parse(await response.json()) as EndpointReply<E> // parsed by e's own schema
}

/** Saves a file reply under the name the server gives it. */
export async function download<E extends Endpoint>(e: E, input: EndpointInput<E>): Promise<void> {
  const response = await request(e, input)
  const name = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  const url = URL.createObjectURL(await response.blob())
  const link = Object.assign(document.createElement('a'), { href: url, download: decodeURIComponent(name ?? 'voisol') })
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** A file reply to be shown in the page. */
export const fetchFile = async <E extends Endpoint>(e: E, input: EndpointInput<E>): Promise<Blob> =>
  (await request(e, input)).blob()

/** What the server says of a field counts before its general sentence: it names the rule. */
export const getErrorReason = (error: unknown) =>
  (error instanceof ApiError ? error.problem?.issues?.map(({ message }) => message).join(' ') : '') ||
  explainError(error)
