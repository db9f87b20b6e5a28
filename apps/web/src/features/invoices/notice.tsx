import { useQuery } from '@tanstack/react-query'
import { invoices } from '@voisol/contract/invoices'
import { formatMoney } from '../../lib/format.ts'
import { query } from '../../lib/queries.ts'
import { DownloadButton } from './download-button.tsx'

/** Where several sellers ask for something at once: what they come to, and the page that says whom to pay. */
export function DueNoticeSummary({ id }: { id: string }) {
  const { data } = useQuery(query(invoices.get, { params: { id } }))
  if (!data?.notice) return null
  const { documents, sellers, gross, open } = data.notice
  return (
    <div className="mt-6 grid gap-3 border-t border-amber-200 pt-5">
      <p className="prose-width">
        Émis avec {documents - 1 > 1 ? `${documents - 1} autres documents` : 'un autre document'}, de {sellers} vendeurs
        en tout&nbsp;: <span className="font-medium">{formatMoney(gross)}</span> ensemble
        {open > 0 ? (
          <>
            , dont <span className="font-medium">{formatMoney(open)}</span> restent à payer
          </>
        ) : (
          ', entièrement réglés'
        )}
        . L’avis d’échéance dit en une page à qui, combien et comment.
      </p>
      <DownloadButton
        endpoint={invoices.dueNotice}
        input={{ params: { id } }}
        size="large"
        className="w-full justify-self-start sm:w-auto"
      >
        Avis d’échéance
      </DownloadButton>
    </div>
  )
}
