import type { DocEndpoint, DocTab } from '@voisol/contract/api-docs'
import FileDown from 'lucide-react/icons/file-down'
import { useEffect, useState } from 'react'
import { useLoaderData } from 'react-router'
import { Button } from '../../ui/button.tsx'
import { HubScene } from '../illustrations/hub.tsx'
import { ContentListHeader, ContentListNotice } from '../resources/page-header.tsx'
import { EndpointDocs } from './endpoint.tsx'
import type { Language } from './snippets.ts'
import { SiteTabs } from './tabs.tsx'

const DOC_TABS: readonly { value: DocTab; label: string; lead: string }[] = [
  {
    value: 'authentication',
    label: 'Authentification',
    lead: 'Un jeton s’obtient avec une adresse et un mot de passe\u00a0; il accompagne chaque appel dans l’en-tête Authorization et se renouvelle avant d’expirer.',
  },
  {
    value: 'operations',
    label: 'Opérations',
    lead: 'Les opérations d’autoconsommation collective et leurs participants. Les listes se lisent page par page.',
  },
  {
    value: 'energy',
    label: 'Données énergétiques',
    lead: 'Production et consommation au pas que vous choisissez, avec leurs totaux. Un pas sans donnée est absent, jamais nul. Un participant lit ses propres chiffres avec le jeton qu’il crée dans son profil\u00a0: un capteur REST de Home Assistant appelle /api/own/figures, un tableur ouvre /api/own/days ou /api/own/invoices en CSV, le jeton dans l’en-tête Authorization ou, faute d’en-tête, dans l’adresse (?key=…).',
  },
  {
    value: 'webhooks',
    label: 'Webhooks',
    lead: 'Votre serveur est prévenu de ce qui se passe. Chaque envoi est signé avec votre secret et répété tant qu’il n’est pas reçu, sous le même identifiant (id). Le numéro de l’événement (sequence) donne l’ordre, que les envois ne suivent pas.',
  },
]
type Docs = { version: string; endpoints: DocEndpoint[]; demo: boolean }

async function downloadPdf() {
  try {
    const response = await fetch('/api/pdf/generate-api-docs')
    if (!response.ok) throw new Error(`${response.status}: ${response.statusText}`)
    const link = document.createElement('a')
    link.href = URL.createObjectURL(await response.blob())
    link.download = 'documentation-api-voisol.pdf'
    link.click()
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
  } catch (error) {
    console.error(error)
    window.alert('Erreur lors du téléchargement de la documentation. Veuillez réessayer.')
  }
}

function PdfButton() {
  const [busy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    await downloadPdf()
    setBusy(false)
  }
  return (
    <Button size="large" loading={busy} icon={<FileDown aria-hidden="true" />} onClick={() => void run()}>
      Télécharger la documentation (PDF)
    </Button>
  )
}

function ApiDocsContent({ endpoints, demo }: Docs) {
  const [tab, setTab] = useState<DocTab>('authentication')
  const [language, setLanguage] = useState<Language>('javascript')
  const [origin, setOrigin] = useState('https://voisol.fr')
  useEffect(() => setOrigin(location.origin), [])
  return (
    <SiteTabs label="Parties de l’API" tabs={DOC_TABS} value={tab} onChange={setTab}>
      <p className="prose-width pt-8 text-lg text-ink-soft">{DOC_TABS.find(({ value }) => value === tab)?.lead}</p>
      {endpoints
        .filter((endpoint) => endpoint.tab === tab)
        .map((endpoint) => (
          <EndpointDocs
            key={endpoint.id}
            endpoint={endpoint}
            origin={origin}
            demo={demo}
            language={language}
            onLanguage={setLanguage}
          />
        ))}
    </SiteTabs>
  )
}

export default function ApiDocs() {
  const docs = useLoaderData<Docs | null | undefined>()
  return (
    <>
      <ContentListHeader
        eyebrow="API"
        illustration={HubScene}
        title="Brancher vos logiciels sur Voisol"
        lead="Une API HTTP en JSON. Cette page est écrite d’après le contrat que le serveur applique&nbsp;: ce qui est décrit ici est ce qui répond."
      >
        <div className="mt-8 flex flex-wrap gap-3">
          <PdfButton />
          <a href="/api/openapi.json" className="inline-flex min-h-12 items-center px-2 font-medium text-link">
            Description OpenAPI 3.1
          </a>
        </div>
      </ContentListHeader>
      <div className="mx-auto max-w-[1040px] px-4 py-12 sm:px-6 lg:py-16">
        {docs ? <ApiDocsContent {...docs} /> : <ContentListNotice known={false} empty="" />}
      </div>
    </>
  )
}
