import {
  keepPreviousData,
  QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { Endpoint, EndpointInput, EndpointReply } from '@voisol/contract/endpoint'
import { useSearchParams } from 'react-router'
import type { z } from 'zod'
import { ApiError, call } from './call.ts'
import { useReportForbiddenCall } from './can.tsx'
import { explainError } from './error-text.ts'
import { randomId } from './random-id.ts'
import { toast } from './toast.ts'

const MINUTE_MS = 60_000
/** A refusal stays a refusal: only what may pass by itself is tried once more. */
const isRefusal = (error: unknown) => error instanceof ApiError && error.status < 500
const shouldRetryOnce = (failures: number, error: Error) => failures < 1 && !isRefusal(error)

/** One cache for the page; emptied when the person or the company changes. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // Without a network a call fails and says so; it does not wait for one behind a form that seems to be sending.
    queries: {
      staleTime: 10 * MINUTE_MS,
      gcTime: 30 * MINUTE_MS,
      retry: shouldRetryOnce,
      refetchOnWindowFocus: false,
      networkMode: 'always',
    },
    mutations: { retry: shouldRetryOnce, networkMode: 'always' },
  },
})

/** What a screen could not read while the server was silent. */
const refetchFailedQueries = (client: QueryClient) =>
  void client.refetchQueries({
    type: 'active',
    predicate: ({ state }) => state.isInvalidated || (state.status === 'error' && !isRefusal(state.error)),
  })

/** The cache key of an endpoint is its path and its input: nobody writes a key by hand. */
export const query = <E extends Endpoint>(e: E, input: EndpointInput<E>) => {
  const queryKey = [e.path, input] as const
  return queryOptions({
    queryKey,
    queryFn: async ({ client }): Promise<EndpointReply<E>> => {
      try {
        const reply = await call(e, input)
        if (clearOutage()) setTimeout(() => refetchFailedQueries(client))
        return reply
      } catch (error) {
        const previousState = client.getQueryState<EndpointReply<E>>(queryKey)
        if (!previousState || previousState.fetchFailureCount < 1 || isRefusal(error)) throw error
        if (previousState.data !== undefined || !(error instanceof ApiError)) notifyOutage(error)
        if (previousState.data === undefined) throw error
        // What was read stays on the screen, and is asked for again the next time it is shown.
        setTimeout(() => void client.invalidateQueries({ queryKey, exact: true, refetchType: 'none' }))
        return previousState.data
      }
    },
  })
}

type IdempotentCall<E extends Endpoint> = { input: EndpointInput<E>; key: string }
/** What is asked for, under one key for all the attempts it takes. */
export const withCallKey = <I>(input: I) => ({ input, key: randomId() })
export const buildMutation = <E extends Endpoint>(e: E) => ({
  mutationFn: ({ input, key }: IdempotentCall<E>) => call(e, input, key),
})

/** A mutation refreshes everything under the collections it names; a retry carries the same idempotency key. */
export function useAction<E extends Endpoint>(e: E, refresh: Endpoint[]) {
  useReportForbiddenCall(e)
  const client = useQueryClient()
  const mutation = useMutation({
    ...buildMutation(e),
    onSuccess: () => Promise.all(refresh.map((r) => client.invalidateQueries({ queryKey: [r.path] }))),
  })
  return {
    ...mutation,
    run: (input: EndpointInput<E>): Promise<EndpointReply<E>> => mutation.mutateAsync(withCallKey(input)),
  }
}

/** What a screen shows before it speaks of pages. */
const DEFAULT_PAGE_SIZE = 50

type ListEndpoint = Endpoint & { query: z.ZodObject; response: z.ZodType<{ items: unknown[]; total: number }> }

type ListRow<E extends Endpoint> = EndpointReply<E> extends { items: (infer R)[] } ? R : never

/**
 * Page, sort and filters live in the URL, parsed by the endpoint's own query schema; what does not parse is as if absent.
 * `fixed` is what the screen itself sets, such as the operation it shows: no filter of the reader's.
 */
export function useList<E extends ListEndpoint>(e: E, fixed: Partial<z.input<E['query']>> = {}) {
  const [search, setSearch] = useSearchParams()
  const defaults = { size: DEFAULT_PAGE_SIZE, ...fixed }
  const parsed = e.query.safeParse({ size: DEFAULT_PAGE_SIZE, ...Object.fromEntries(search), ...fixed })
  const parsedQuery = (parsed.success ? parsed.data : e.query.parse(defaults)) as z.output<E['query']> // parsed by e's own schema
  const filters = Object.fromEntries(Object.entries(parsedQuery).filter(([key]) => !(key in fixed))) as z.output<
    E['query']
  > // what is left is the reader's
  const result = useQuery({
    ...query(e, { query: parsedQuery } as EndpointInput<E>),
    placeholderData: keepPreviousData,
  }) // the only declared part
  const setFilters = (change: Record<string, unknown>) =>
    setSearch((old) => {
      for (const [key, value] of Object.entries<unknown>({ page: 1, ...change }))
        if (value === undefined || value === '' || (key === 'page' && value === 1)) old.delete(key)
        else old.set(key, String(value))
      return old
    })
  const data = result.data as { items: ListRow<E>[]; total: number } | undefined // a page of e's rows
  return { ...result, filters, setFilters, items: data?.items ?? [], total: data?.total ?? 0 }
}

let outageNotified = false

/** The server speaks again: true where it had been told that it did not. */
export function clearOutage(): boolean {
  const wasNotified = outageNotified
  outageNotified = false
  return wasNotified
}

/** A server that answered that it failed has its own sentence; silence is not that of one figure, but of all. */
const getOutageMessage = (error: unknown) =>
  error instanceof Error && 'detail' in error
    ? {
        title: 'Ces données n’ont pas pu être rafraîchies',
        description: `${explainError(error)} Celles d’avant restent affichées.`,
      }
    : {
        title: 'Le serveur ne répond plus',
        description: 'Ce qui est affiché n’est plus à jour. Vérifiez votre réseau\u00a0; la suite viendra d’elle-même.',
      }

/** Said once, however many figures a screen asks for, and however often. */
function notifyOutage(error: unknown) {
  if (outageNotified) return
  outageNotified = true
  toast({ ...getOutageMessage(error), variant: 'destructive', duration: 10_000 })
}
