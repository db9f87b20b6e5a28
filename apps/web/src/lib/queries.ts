import {
  keepPreviousData,
  QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { Endpoint, Input, Reply } from '@voisol/contract/endpoint'
import { useSearchParams } from 'react-router'
import type { z } from 'zod'
import { ApiError, call } from './call.ts'
import { useExpectAllowed } from './can.tsx'
import { isBack, tellOutage } from './outage.ts'
import { randomId } from './random-id.ts'

const MINUTE = 60_000
/** A refusal stays a refusal: only what may pass by itself is tried once more. */
const isRefusal = (error: unknown) => error instanceof ApiError && error.status < 500
const once = (failures: number, error: Error) => failures < 1 && !isRefusal(error)

/** One cache for the page; emptied when the person or the company changes. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // Without a network a call fails and says so; it does not wait for one behind a form that seems to be sending.
    queries: {
      staleTime: 10 * MINUTE,
      gcTime: 30 * MINUTE,
      retry: once,
      refetchOnWindowFocus: false,
      networkMode: 'always',
    },
    mutations: { retry: once, networkMode: 'always' },
  },
})

/** What a screen could not read while the server was silent. */
const askAgain = (client: QueryClient) =>
  void client.refetchQueries({
    type: 'active',
    predicate: ({ state }) => state.isInvalidated || (state.status === 'error' && !isRefusal(state.error)),
  })

/** The cache key of an endpoint is its path and its input: nobody writes a key by hand. */
export const query = <E extends Endpoint>(e: E, input: Input<E>) => {
  const queryKey = [e.path, input] as const
  return queryOptions({
    queryKey,
    queryFn: async ({ client }): Promise<Reply<E>> => {
      try {
        const reply = await call(e, input)
        if (isBack()) setTimeout(() => askAgain(client))
        return reply
      } catch (error) {
        const kept = client.getQueryState<Reply<E>>(queryKey)
        if (!kept || kept.fetchFailureCount < 1 || isRefusal(error)) throw error
        if (kept.data !== undefined || !(error instanceof ApiError)) tellOutage(error)
        if (kept.data === undefined) throw error
        // What was read stays on the screen, and is asked for again the next time it is shown.
        setTimeout(() => void client.invalidateQueries({ queryKey, exact: true, refetchType: 'none' }))
        return kept.data
      }
    },
  })
}

type Asked<E extends Endpoint> = { input: Input<E>; key: string }
/** What is asked for, under one key for all the attempts it takes. */
export const asked = <I>(input: I) => ({ input, key: randomId() })
export const writing = <E extends Endpoint>(e: E) => ({
  mutationFn: ({ input, key }: Asked<E>) => call(e, input, key),
})

/** A mutation refreshes everything under the collections it names; a retry carries the same idempotency key. */
export function useAction<E extends Endpoint>(e: E, refresh: Endpoint[]) {
  useExpectAllowed(e)
  const client = useQueryClient()
  const mutation = useMutation({
    ...writing(e),
    onSuccess: () => Promise.all(refresh.map((r) => client.invalidateQueries({ queryKey: [r.path] }))),
  })
  return {
    ...mutation,
    run: (input: Input<E>): Promise<Reply<E>> => mutation.mutateAsync(asked(input)),
  }
}

/** What a screen shows before it speaks of pages. */
const ROWS_OF_A_PAGE = 50

type ListEndpoint = Endpoint & { query: z.ZodObject; response: z.ZodType<{ items: unknown[]; total: number }> }

type Row<E extends Endpoint> = Reply<E> extends { items: (infer R)[] } ? R : never

/**
 * Page, sort and filters live in the URL, parsed by the endpoint's own query schema; what does not parse is as if absent.
 * `fixed` is what the screen itself sets, such as the operation it shows: no filter of the reader's.
 */
export function useList<E extends ListEndpoint>(e: E, fixed: Partial<z.input<E['query']>> = {}) {
  const [search, setSearch] = useSearchParams()
  const given = { size: ROWS_OF_A_PAGE, ...fixed }
  const parsed = e.query.safeParse({ size: ROWS_OF_A_PAGE, ...Object.fromEntries(search), ...fixed })
  const whole = (parsed.success ? parsed.data : e.query.parse(given)) as z.output<E['query']> // parsed by e's own schema
  const filters = Object.fromEntries(Object.entries(whole).filter(([key]) => !(key in fixed))) as z.output<E['query']> // what is left is the reader's
  const result = useQuery({ ...query(e, { query: whole } as Input<E>), placeholderData: keepPreviousData }) // the only declared part
  const setFilters = (change: Record<string, unknown>) =>
    setSearch((old) => {
      for (const [key, value] of Object.entries<unknown>({ page: 1, ...change }))
        if (value === undefined || value === '' || (key === 'page' && value === 1)) old.delete(key)
        else old.set(key, String(value))
      return old
    })
  const data = result.data as { items: Row<E>[]; total: number } | undefined // a page of e's rows
  return { ...result, filters, setFilters, items: data?.items ?? [], total: data?.total ?? 0 }
}
