import { cloneElement, useEffect } from 'react'
import { toast } from '../lib/toast.ts'
import type { LoadFailure } from './lazy.tsx'
import type { OverlayProps } from './opening.ts'

/** A window that did not come leaves its button as it was, to be pressed again. */
export function OpenFailure({ trigger, open, onOpenChange, asking, retry }: OverlayProps & LoadFailure) {
  useEffect(() => {
    if (open) retry()
  }, [open, retry])
  // biome-ignore lint/correctness/useExhaustiveDependencies: said once for each time it was asked for
  useEffect(() => {
    if (asking) return
    const description = 'Le serveur ne répond pas. Réessayez dans un instant.'
    toast({ title: 'Cette fenêtre n’a pas pu s’ouvrir', description, variant: 'destructive' })
    onOpenChange?.(false)
  }, [asking])
  return trigger ? cloneElement(trigger, { onClick: retry } as object) : null // what any button takes
}
