import { createElement, Fragment, type ReactNode } from 'react'

/** Written text does not change its order while it is shown: its parts need no names of their own. */
export const renderEach = <T>(items: readonly T[], draw: (item: T, index: number) => ReactNode) =>
  createElement(Fragment, null, ...items.map(draw))
