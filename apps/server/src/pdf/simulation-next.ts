import { drawBullet, drawBullets, drawHeading, drawParagraph } from './blocks.ts'
import { drawRule } from './chart.ts'
import { ensureSpace, type PdfWriter } from './document.ts'
import { parseBoldMarkup, TEXT_STYLES } from './runs.ts'

const LIMITS = [
  '**Le toit.** L’orientation, l’inclinaison, les ombres et l’état de la toiture ne sont pas connus ici. Une visite et un relevé d’ombres peuvent changer la production de plus d’un dixième.',
  '**Les prix.** Le kilowattheure évité est compté à un prix unique. Le vôtre dépend de votre contrat\u00a0; les taxes et l’acheminement restent dus sur l’énergie partagée par le réseau.',
  '**Les coûts.** L’entretien, l’assurance, le remplacement des onduleurs, le raccordement et les frais de gestion de l’opération ne sont pas déduits.',
  '**L’aide.** Elle est estimée\u00a0: son montant dépend de la puissance, du moment de la demande et des dispositifs ouverts.',
  '**La revente.** Le surplus vendu au réseau n’est pas compté dans les économies.',
  '**Le temps.** Les panneaux perdent un peu de leur rendement chaque année et le prix de l’électricité change\u00a0: les deux sont supposés constants.',
]
const STEPS = [
  '**Réunir les données.** Factures d’électricité des parties communes et des volontaires, plan de toiture, avis de l’architecte si l’immeuble est protégé.',
  '**Étudier le projet.** Choisir les toits, mesurer les ombres, relever les courbes de charge avec l’accord de chacun, comparer les clés de répartition.',
  '**Décider ensemble.** Présenter l’étude et les devis à l’assemblée, puis voter.',
  '**Créer la personne morale organisatrice.** Elle réunit producteurs et consommateurs\u00a0; la copropriété ou une association peut tenir ce rôle.',
  '**Signer avec le gestionnaire de réseau.** La convention donne les participants, leurs points de livraison et la clé de répartition.',
  '**Mettre en service et suivre.** Vérifier chaque mois ce que chacun a reçu, et corriger la clé si besoin.',
]
const VOTES = [
  'Le principe d’une opération d’autoconsommation collective dans l’immeuble ou le quartier.',
  'Le mandat donné au syndic ou au porteur du projet pour commander une étude et demander au moins deux devis, avec un budget maximal.',
  'La désignation de la personne morale organisatrice et de qui la représente.',
  'L’usage de la toiture et des parties communes, et le mode de financement.',
  'La clé de répartition de départ et la façon d’en changer.',
]

/** The limits of the figures, and the next steps. */
export function drawClosingSections(sheet: PdfWriter) {
  drawHeading(sheet, 2, 'Les limites de cette estimation', { keep: 90 })
  drawBullets(
    sheet,
    LIMITS.map((text) => parseBoldMarkup(text, TEXT_STYLES.body)),
  )
  drawHeading(sheet, 2, 'Les prochaines étapes', { keep: 90 })
  for (const [at, text] of STEPS.entries())
    drawBullet(
      sheet,
      `${at + 1}.`,
      () => drawParagraph(sheet, parseBoldMarkup(text, TEXT_STYLES.body), { after: 3 }),
      TEXT_STYLES.body,
      18,
    )
  drawHeading(sheet, 2, 'Ce qui peut être mis au vote', { keep: 90 })
  drawBullets(sheet, VOTES)
  drawParagraph(
    sheet,
    'La majorité requise dépend de la décision et du règlement de copropriété\u00a0: votre syndic la confirmera avant l’assemblée.',
    {
      look: TEXT_STYLES.quiet,
      after: 14,
    },
  )
  ensureSpace(sheet, 50)
  drawRule(sheet)
  sheet.y += 8
  drawParagraph(
    sheet,
    'Ce rapport est une simulation établie à partir des données saisies par son auteur. Il n’est ni un devis, ni une étude technique, ni un engagement de résultat, et ne remplace pas un conseil juridique, fiscal ou financier.',
    { look: TEXT_STYLES.small },
  )
}
