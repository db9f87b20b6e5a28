import type { DatesContent } from '../blocks/dates.tsx'
import type { TableContent } from '../blocks/table.tsx'

export const regulatoryDates: DatesContent = {
  title: 'Neuf dates qui ont changé le calcul',
  items: [
    {
      date: '28 avril 2017',
      title: 'Le cadre',
      text: 'Clé, pas de mesure, stockage, énergie non affectée : les règles du partage sont écrites.',
      source: 'Décret n° 2017-676',
    },
    {
      date: '21 novembre 2019',
      title: 'Au-delà de l’immeuble',
      text: 'L’opération étendue : 2 km entre les participants les plus éloignés.',
      source: 'Arrêté du 21 novembre 2019',
    },
    {
      date: '2020 et 2023',
      title: 'Les campagnes',
      text: 'Dérogations à 20 km en zone rurale, puis à 10 km en zone périurbaine.',
      source: 'Arrêtés du 14 octobre 2020 et du 19 septembre 2023',
    },
    {
      date: 'Octobre 2024',
      title: 'Le quart d’heure',
      text: 'Les données de l’opération passent du pas de 30 minutes au pas de 15.',
    },
    {
      date: '1er mars 2025',
      title: 'L’accise s’efface',
      text: 'Taux nul sur l’énergie renouvelable partagée, pour un site de moins de 1 MW.',
      source: 'Loi n° 2025-127, art. 75',
    },
    {
      date: '5 mars 2025',
      title: 'De 3 à 5 MW',
      text: 'La limite de puissance augmente ; les services publics d’un même territoire peuvent aller jusqu’à 10 MW.',
      source: 'Arrêté du 21 février 2025',
    },
    {
      date: '1er août 2025',
      title: 'TURPE 7 et TVA unique',
      text: 'Nouveaux tarifs de réseau ; l’abonnement passe lui aussi à 20 % de TVA.',
    },
    {
      date: '1er février 2026',
      title: 'Taxes du complément',
      text: 'Accise à 30,85 €/MWh jusqu’à 36 kVA et 26,58 €/MWh au-delà ; contribution tarifaire ramenée de 21,93 à 15 %.',
    },
    {
      date: '1er septembre 2026',
      title: 'Factures électroniques',
      text: 'Réception obligatoire pour tous les assujettis ; émission pour tous un an plus tard.',
    },
  ],
  note: 'Voisol tient ces taux dans des tables datées : un changement s’applique à sa date, sans toucher aux mois déjà calculés.',
}

export const turpeTable: TableContent = {
  kind: 'table',
  ground: 'soft',
  title: 'L’acheminement, avec et sans la formule collective',
  lead: 'Part variable du TURPE 7 au 1er août 2025, pour un logement en courte utilisation à quatre plages (CU4), en c€/kWh.',
  look: 'figures',
  columns: ['Formule', 'Pleines hiver', 'Creuses hiver', 'Pleines été', 'Creuses été'],
  groups: [
    {
      rows: [
        { label: 'Sans option collective', cells: ['7,49', '3,97', '1,66', '1,16'] },
        { label: 'Collective, part autoproduite', cells: ['2,86', '1,28', '0,76', '0,49'] },
        { label: 'Collective, part alloproduite', cells: ['7,52', '4,03', '1,73', '1,21'] },
      ],
    },
  ],
  note: 'La composante de gestion passe en contrepartie de 16,80 à 21,27 € par an. L’option se choisit par le fournisseur ; elle vaut d’autant mieux que le toit couvre une grande part de la consommation d’hiver.',
}
