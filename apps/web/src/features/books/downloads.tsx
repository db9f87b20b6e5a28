import { useQuery } from '@tanstack/react-query'
import { books } from '@voisol/contract/books'
import { Suspense, useState } from 'react'
import { withAccess } from '../../lib/can.tsx'
import { query } from '../../lib/queries.ts'
import { Button } from '../../ui/button.tsx'
import { ExportMenu, toTableFormat } from '../../ui/export-menu.tsx'
import { lazy } from '../../ui/lazy.tsx'

const ProfileDialog = lazy(() => import('./profile-dialog.tsx'))
const ENCODING_LABELS = { 'utf-8': 'UTF-8', 'iso-8859-15': 'ISO-8859-15' }
const parseEncoding = (text: string): 'utf-8' | 'iso-8859-15' => (text === 'iso-8859-15' ? 'iso-8859-15' : 'utf-8')
const padTwo = (value: number) => String(value).padStart(2, '0')

/** First and last month of the accounting year that ends in a year. */
function getAccountingYearMonths(year: number, yearStart: number): { from: string; to: string } {
  if (yearStart === 1) return { from: `${year}-01`, to: `${year}-12` }
  return { from: `${year - 1}-${padTwo(yearStart)}`, to: `${year}-${padTwo(yearStart - 1)}` }
}

const ExportProfileButton = withAccess(books.addProfile, () => {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="quiet" onClick={() => setOpen(true)}>
        Format d’export
      </Button>
      <Suspense fallback={null}>{open && <ProfileDialog onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
})

type Props = { sellerId: string; year: number; yearStart: number }
/** Everything an accountant takes away of a year. */
export function BookDownloads({ sellerId, year, yearStart }: Props) {
  const { data } = useQuery(query(books.profiles, {}))
  const params = { sellerId }
  return (
    <>
      <ExportMenu
        endpoint={books.fec}
        label="FEC"
        formats={ENCODING_LABELS}
        input={(encoding) => ({ params, query: { year, encoding: parseEncoding(encoding) } })}
      />
      <ExportMenu
        endpoint={books.sales}
        label="Journal des ventes"
        input={(format) => ({ params, query: { year, format: toTableFormat(format) } })}
      />
      <ExportMenu
        endpoint={books.export}
        label="Écritures"
        formats={Object.fromEntries((data?.items ?? []).map(({ id, name }) => [id, name]))}
        input={(profile) => ({ params, query: { ...getAccountingYearMonths(year, yearStart), profile } })}
      />
      <ExportProfileButton />
    </>
  )
}
