import { useSearchParams } from 'react-router'
import { PageHeader } from '../../components/page-header.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { MailList } from '../../features/portal/mails/list.tsx'
import { BrandPanel } from '../../features/portal/white-label/brand-panel.tsx'

const TABS = [
  { value: 'marque', label: 'Marque', content: <BrandPanel /> },
  { value: 'messages', label: 'Messages', content: <MailList /> },
]
const TAB_PARAM = 'onglet'

/** How a company shows itself, and the messages that carry it. */
export default function WhiteLabelPage() {
  const [search, setSearch] = useSearchParams()
  const value = TABS.find((tab) => tab.value === search.get(TAB_PARAM))?.value ?? 'marque'
  const open = (next: string) =>
    setSearch(
      (old) => {
        old.set(TAB_PARAM, next)
        return old
      },
      { preventScrollReset: true },
    )
  return (
    <>
      <PageHeader
        title="Marque blanche"
        description="Votre nom, vos couleurs et votre logo, dans le back-office, l’espace client, les factures et les messages."
      />
      <Tabs label="Rubriques de la marque" tabs={TABS} value={value} onChange={open} />
    </>
  )
}
