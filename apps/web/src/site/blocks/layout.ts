import { createContext, useContext } from 'react'

/**
 * How a page is laid out: a story is told from a drawing downwards, a tour walks past large screens of the product, a
 * reference is looked up beside its contents.
 */
export type Layout = 'story' | 'tour' | 'reference'

const LayoutContext = createContext<Layout>('story')
export const LayoutProvider = LayoutContext.Provider
export const useLayout = () => useContext(LayoutContext)
