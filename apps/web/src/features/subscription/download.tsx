import type { Endpoint, EndpointInput } from '@voisol/contract/endpoint'
import Download from 'lucide-react/icons/download'
import { useState } from 'react'
import { download } from '../../lib/call.ts'
import { explainError } from '../../lib/explain.ts'
import { toast } from '../../lib/toast.ts'
import { Button } from '../../ui/button.tsx'

type Props<E extends Endpoint> = { endpoint: E; input: EndpointInput<E>; label: string; children: string }

/** Takes a document away; what stands in its way is said. */
export function DownloadDocumentButton<E extends Endpoint>({ endpoint, input, label, children }: Props<E>) {
  const [loading, setLoading] = useState(false)
  const startDownload = () => {
    setLoading(true)
    download(endpoint, input)
      .catch((error: unknown) =>
        toast({ title: 'Téléchargement impossible', description: explainError(error), variant: 'destructive' }),
      )
      .finally(() => setLoading(false))
  }
  return (
    <Button
      variant="quiet"
      size="small"
      aria-label={label}
      icon={<Download aria-hidden="true" />}
      loading={loading}
      onClick={startDownload}
    >
      {children}
    </Button>
  )
}
