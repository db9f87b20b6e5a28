import { useLayoutEffect } from 'react'

/** Larger text and touch targets while this part shows; on the root element, because dialogs open outside the page's tree. */
export function useComfortableDensity() {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement
    dataset.density = 'comfortable'
    return () => {
      delete dataset.density
    }
  }, [])
}
