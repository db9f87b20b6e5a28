import { lazy } from '../../components/lazy.tsx'
import { type Panel, TabbedPage } from './tabbed-page.tsx'

const PANELS: Panel[] = [
  {
    id: 'declarations',
    label: 'Déclarations',
    permission: 'declarations.read',
    panel: lazy(() => import('../../features/accounting/declarations/declarations-tab.tsx')),
  },
  {
    id: 'comptabilite',
    label: 'Comptabilité',
    permission: 'books.read',
    panel: lazy(() => import('../../features/accounting/books/books-tab.tsx')),
  },
]

/** What is owed to the administration and to the accountant: summaries, yearly statements, books. */
export default function FiscalDocumentsPage() {
  return (
    <TabbedPage
      title="Documents fiscaux"
      description={
        'La TVA, l’accise, l’e-reporting et les relevés annuels\u00a0; la comptabilité de chaque entité, ses contrôles et son FEC.'
      }
      panels={PANELS}
    />
  )
}
