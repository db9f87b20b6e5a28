import type { Endpoint, EndpointInput } from '@voisol/contract/endpoint'
import Download from 'lucide-react/icons/download'
import { type ReactNode, useState } from 'react'
import { Button, type ButtonVariant } from '../../../components/button.tsx'
import { download } from '../../../lib/call.ts'
import { useCan } from '../../../lib/can.tsx'
import { explainError } from '../../../lib/error-text.ts'
import { toast } from '../../../lib/toast.ts'

type DownloadButtonProps<E extends Endpoint> = {
  endpoint: E
  input: EndpointInput<E>
  variant?: ButtonVariant
  size?: 'small' | 'medium' | 'large'
  className?: string
  children: ReactNode
}

/** Takes a file away; what stands in its way is said. */
export function DownloadButton<E extends Endpoint>({
  endpoint,
  input,
  variant = 'secondary',
  size,
  className,
  children,
}: DownloadButtonProps<E>) {
  const [loading, setLoading] = useState(false)
  const allowed = useCan()(endpoint)
  const startDownload = () => {
    setLoading(true)
    download(endpoint, input)
      .catch((error: unknown) =>
        toast({ title: 'Téléchargement impossible', description: explainError(error), variant: 'destructive' }),
      )
      .finally(() => setLoading(false))
  }
  if (!allowed) return null
  return (
    <Button
      variant={variant}
      size={size}
      className={className}
      loading={loading}
      icon={<Download aria-hidden="true" />}
      onClick={startDownload}
    >
      {children}
    </Button>
  )
}
