import type { LoaderFunctionArgs } from 'react-router'

type Reader = { read?: (path: string) => Promise<unknown> }

/** Null says that the answer could not be had; the page tells it in words. */
export const pageData =
  (path: string) =>
  async ({ context }: LoaderFunctionArgs<Reader | undefined>): Promise<unknown> => {
    try {
      if (context && 'read' in context && context.read) return await context.read(path)
      const response = await fetch(path)
      return response.ok ? await response.json() : null
    } catch {
      return null
    }
  }
