import { type KeyboardEvent, type MouseEvent, startTransition, useState } from 'react'

export type InputMethod = 'pointer' | 'keyboard'

/**
 * What opens from a button is fetched when the button is about to be used for the first time: until then the button
 * stands alone. It stays in its place while the rest comes, and is the same button afterwards.
 */
export function useFirstUse(load: () => Promise<unknown>, opensOnArrow = false) {
  const [use, setUse] = useState<InputMethod | null>(null)
  const begin = (how: InputMethod) => startTransition(() => setUse(how))
  // A failure shows when it is opened, as for any other part of the program.
  const prepare = () => void load().catch(() => undefined)
  const trigger = {
    'aria-expanded': false,
    onPointerEnter: prepare,
    onFocus: prepare,
    // A key that presses a button makes a click without a pointer.
    onClick: ({ detail }: MouseEvent) => begin(detail > 0 ? 'pointer' : 'keyboard'),
    ...(opensOnArrow && {
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'ArrowDown') return
        event.preventDefault()
        begin('keyboard')
      },
    }),
  }
  return { use, trigger }
}
