import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { whiteLabel } from '@voisol/contract/white-label'
import { call, fetchFile } from '../../lib/call.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { MailView } from '../../ui/mail-view.tsx'
import { PdfPreview } from '../../ui/paper.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { BrandDraft } from './draft.ts'

type Props = { companyId: number; draft: BrandDraft }

/** The last invoice of the company, as it would be issued with this look. */
export function BrandInvoicePreview({ companyId, draft }: Props) {
  const { primaryColor } = draft
  const { data, error, refetch } = useQuery({
    queryKey: [whiteLabel.previewInvoice.path, companyId, primaryColor],
    queryFn: () => fetchFile(whiteLabel.previewInvoice, { params: { companyId }, body: { primaryColor } }),
    placeholderData: keepPreviousData,
    retry: false,
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  return (
    <PdfPreview file={data} title="Aperçu de la facture">
      Votre dernière facture, dessinée avec cette couleur. Celles qui sont émises ne changent plus.
    </PdfPreview>
  )
}

/** The very layout of every message, with its text part. */
export function BrandMailPreview({ companyId, draft }: Props) {
  const { data, error, refetch } = useQuery({
    queryKey: [whiteLabel.previewMail.path, companyId, draft],
    queryFn: () => call(whiteLabel.previewMail, { params: { companyId }, body: draft }),
    placeholderData: keepPreviousData,
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  if (!data) return <Skeleton className="h-96 w-full" />
  return <MailView mail={data} />
}
