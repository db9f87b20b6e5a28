import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

type AttributePair = { key: string; value: Record<string, unknown> }
const readAttributes = (pairs: AttributePair[] = []) =>
  Object.fromEntries(
    pairs.map(({ key, value: { intValue, ...value } }) => [
      key,
      intValue === undefined ? Object.values(value)[0] : Number(intValue),
    ]),
  )

type ReceivedExport = { path: string | undefined; headers: Record<string, unknown>; body: Record<string, unknown[]> }
// biome-ignore lint/suspicious/noExplicitAny: what was really sent is read
const collectNested = (heard: ReceivedExport[], ...path: string[]): any[] =>
  // biome-ignore lint/suspicious/noExplicitAny: the same
  path.reduce<any[]>(
    (from, name) => from.flatMap((one) => one[name] ?? []),
    heard.map(({ body }) => body),
  )

/** An OpenTelemetry collector that stores what it receives; `answer` can be set to refuse. */
export async function startOtlpCollector() {
  const heard: ReceivedExport[] = []
  const state = { answer: 200 }
  const server = createServer(async (request, response) => {
    const body = JSON.parse((await buffer(request)).toString())
    if (state.answer === 200) heard.push({ path: request.url, headers: request.headers, body })
    response.writeHead(state.answer, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard,
    state,
    resource: () => readAttributes(collectNested(heard, 'resourceSpans')[0]?.resource.attributes),
    spans: () =>
      collectNested(heard, 'resourceSpans', 'scopeSpans', 'spans').map((span) => ({
        ...span,
        attributes: readAttributes(span.attributes),
      })),
    metrics: () => collectNested(heard, 'resourceMetrics', 'scopeMetrics', 'metrics'),
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  }
}
