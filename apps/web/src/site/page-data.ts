import type { LoaderFunctionArgs, Params } from 'react-router'

type ReaderContext = { read?: (path: string) => Promise<unknown> }
/** The address of a public endpoint, or how it follows from the page's own address. */
export type DataAddress = `/api/${string}` | ((at: { params: Params; search: URLSearchParams }) => string)

/** Null says that the answer could not be had; the page tells it in words. */
export const createPageLoader =
  (address: DataAddress) =>
  async ({ context, params, request }: LoaderFunctionArgs<ReaderContext | undefined>): Promise<unknown> => {
    try {
      const search = new URL(request.url).searchParams
      const path = typeof address === 'string' ? address : address({ params, search })
      if (context && 'read' in context && context.read) return await context.read(path)
      const response = await fetch(path)
      return response.ok ? await response.json() : null
    } catch {
      return null
    }
  }
