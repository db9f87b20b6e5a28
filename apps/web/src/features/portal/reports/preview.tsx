import { useQuery } from '@tanstack/react-query'
import { reports } from '@voisol/contract/reports'
import { useState } from 'react'
import { getButtonClass } from '../../../components/button.tsx'
import { ErrorState } from '../../../components/error-state.tsx'
import { Skeleton } from '../../../components/loading.tsx'
import { buildEndpointUrl, fetchFile } from '../../../lib/call.ts'

export type ReportRequest = { template: string; subjectId: string; period: string }

/** The paper itself, drawn by the browser from the address that the server gives it at. */
function PreviewFrame({ address, onRefused }: { address: string; onRefused: () => void }) {
  const [isReady, setIsReady] = useState(false)
  return (
    <div className="relative" aria-busy={!isReady}>
      {!isReady && (
        <div aria-live="polite" className="absolute inset-0 grid content-start gap-2 bg-page p-4">
          <p className="text-body text-ink-soft">Le document se prépare…</p>
          <Skeleton className="h-96 w-full" />
        </div>
      )}
      <iframe
        title="Aperçu du document"
        src={address}
        onLoad={({ currentTarget }) => {
          setIsReady(true)
          if (isRefusal(currentTarget)) onRefused()
        }}
        className="h-[75vh] min-h-96 w-full rounded-card border border-line bg-page"
      />
    </div>
  )
}

/** A frame says nothing of why: the same call is made once more, which renews a session that ended and tells the rest. */
function RefusedPreview({ asked: request, onAgain }: { asked: ReportRequest; onAgain: () => void }) {
  const { error, refetch } = useQuery({
    queryKey: [reports.preview.path, request],
    queryFn: async () => {
      await fetchFile(reports.preview, { query: request })
      onAgain()
      return true
    },
    retry: false,
    staleTime: 0,
    gcTime: 0,
  })
  return error ? <ErrorState error={error} onRetry={refetch} /> : <Skeleton className="h-96 w-full" />
}

/** As it would be kept; where a browser shows no PDF in a page, its address is there all the same. */
export default function ReportPreview({ asked: request }: { asked: ReportRequest }) {
  const [isRefused, setIsRefused] = useState(false)
  const address = buildEndpointUrl(reports.preview, { query: request })
  if (isRefused) return <RefusedPreview asked={request} onAgain={() => setIsRefused(false)} />
  return (
    <section aria-label="Aperçu du document" className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-body text-ink-soft">Le document tel qu’il serait établi. Rien n’est encore conservé.</p>
        <a
          href={address}
          target="_blank"
          rel="noreferrer"
          className={getButtonClass({ variant: 'secondary', size: 'small' })}
        >
          Ouvrir dans un onglet
        </a>
      </div>
      {navigator.pdfViewerEnabled ? (
        <PreviewFrame key={address} address={address} onRefused={() => setIsRefused(true)} />
      ) : (
        <p className="rounded-card border border-line bg-page p-6 text-center text-body">
          Ce navigateur n’affiche pas les PDF dans une page&nbsp;: ouvrez le document dans un onglet.
        </p>
      )}
    </section>
  )
}

/** Whether a frame holds a refusal of the server rather than the paper; a viewer of its own lets nobody look inside. */
export function isRefusal({ contentDocument }: Pick<HTMLIFrameElement, 'contentDocument'>): boolean {
  return contentDocument?.contentType.includes('json') ?? false
}
