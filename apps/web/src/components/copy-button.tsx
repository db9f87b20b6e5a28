import Check from 'lucide-react/icons/check'
import Copy from 'lucide-react/icons/copy'
import { useEffect, useState } from 'react'
import { Button } from './button.tsx'

const CONFIRMED_MS = 2000
type Outcome = 'none' | 'done' | 'failed'

/** Copies and says so for two seconds. */
export function CopyButton({ text, label = 'Copier' }: { text: string; label?: string }) {
  const [outcome, setOutcome] = useState<Outcome>('none')
  useEffect(() => {
    if (outcome === 'none') return
    const timer = setTimeout(() => setOutcome('none'), CONFIRMED_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setOutcome('done')
    } catch {
      setOutcome('failed')
    }
  }
  const words = { none: label, done: 'Copié', failed: 'Copie refusée par le navigateur' }[outcome]
  const Icon = outcome === 'done' ? Check : Copy
  return (
    <Button variant="secondary" size="small" icon={<Icon aria-hidden="true" />} onClick={copy}>
      <span aria-live="polite">{words}</span>
    </Button>
  )
}
