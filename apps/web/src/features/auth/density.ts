import { useEffect } from 'react'

/** Larger text and touch targets while this page shows; on the root element, because dialogs open outside the page's tree. */
export function useComfortableDensity() {
  useEffect(() => {
    const { dataset } = document.documentElement
    dataset.density = 'comfortable'
    return () => {
      delete dataset.density
    }
  }, [])
}
