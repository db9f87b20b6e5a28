import BadgeEuro from 'lucide-react/icons/badge-euro'
import Braces from 'lucide-react/icons/braces'
import CloudSun from 'lucide-react/icons/cloud-sun'
import FileText from 'lucide-react/icons/file-text'
import Landmark from 'lucide-react/icons/landmark'
import UtilityPole from 'lucide-react/icons/utility-pole'
import type { ShowcaseContent } from '../blocks/showcase.tsx'

/** With whom an operation exchanges data, and what. */
export const exchanges: ShowcaseContent['items'] = [
  {
    icon: UtilityPole,
    name: 'Enedis',
    role: 'Gestionnaire de réseau',
    receives: 'Courbes de charge, quantités affectées, périmètre',
    sends: 'Listes de points, clés et coefficients',
  },
  {
    icon: BadgeEuro,
    name: 'Acheteur du surplus',
    role: 'Obligation d’achat ou agrégateur',
    sends: 'Énergie non affectée, par producteur et par quart d’heure',
  },
  {
    icon: FileText,
    name: 'Comptabilité [à venir]',
    role: 'Logiciel ou cabinet',
    sends: 'Factures, écritures comptables, récapitulatifs de TVA et d’accise',
  },
  {
    icon: Landmark,
    name: 'Banque [à venir]',
    role: 'Encaissement',
    receives: 'Relevés de règlement',
    sends: 'Prélèvements SEPA et leurs mandats',
  },
  {
    icon: CloudSun,
    name: 'Météo',
    role: 'Prévision',
    receives: 'Nébulosité et température attendues',
  },
  {
    icon: Braces,
    name: 'Votre informatique',
    role: 'API et webhooks',
    receives: 'Points, participants, relevés',
    sends: 'Répartition et événements signés',
  },
]
