import type { Endpoint, EndpointInput } from '@voisol/contract/endpoint'
import type { useServer } from './server.ts'

export type TestServer = ReturnType<typeof useServer>
type CallOptions = { token?: string | undefined; headers?: Record<string, string> }
// biome-ignore lint/suspicious/noExplicitAny: a test reads what the server really sent
type CallResponse = { status: number; headers: Record<string, unknown>; body: any; text: string }

export const buildEndpointPath = (e: Endpoint, params: Record<string, unknown> = {}) =>
  e.path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(String(params[key])))

/**
 * Calls an endpoint of the contract through the HTTP stack. The input is not validated here: many tests send invalid
 * input.
 */
export async function call<E extends Endpoint>(
  server: TestServer,
  e: E,
  input: Partial<EndpointInput<E>> | Record<string, unknown> = {},
  options: CallOptions = {},
): Promise<CallResponse> {
  const { params, query, body, upload } = input as {
    params?: Record<string, unknown>
    query?: Record<string, string>
    body?: unknown
    upload?: Buffer
  }
  const response = await server.app.inject({
    method: e.method,
    url: buildEndpointPath(e, params),
    ...(query && { query }),
    ...(body !== undefined && { payload: body as object }), // inject takes any JSON value
    ...(upload && { payload: upload }),
    headers: {
      ...(upload && { 'content-type': 'application/octet-stream' }),
      ...(options.token && { authorization: `Bearer ${options.token}` }),
      ...options.headers,
    },
  })
  const json = /json/.test(String(response.headers['content-type']))
  return {
    status: response.statusCode,
    headers: response.headers,
    text: response.body,
    body: json && response.body ? response.json() : undefined,
  }
}
