import type { PagePath } from './paths.ts'

/** What search engines show under a title. Apart from the table of pages, because only the server writes them. */
export const descriptions: Record<PagePath, string> = {
  '/': 'Copropriétés, éco-quartiers, collectivités, sites industriels : partagez l’énergie de vos toits avec Voisol, répartie au quart d’heure, suivie et expliquée.',
  '/home':
    'La plateforme française d’autoconsommation collective : répartir, suivre et expliquer l’énergie solaire partagée entre voisins.',
  '/platform':
    'Recevoir les courbes, les vérifier, répartir l’énergie et rendre compte : un mois d’opération sans ressaisie, sur des données protégées.',
  '/solutions':
    'Copropriété, éco-quartier ou zone d’activité : les solutions de Voisol, et un même quart d’heure solaire partagé selon quatre méthodes de répartition.',
  '/solutions/collective':
    'Bâtiments publics et habitants dans une même opération : périmètre de 2, 10 ou 20 km, limite de 5 MW, clés comparées avant la délibération.',
  '/solutions/residential':
    'Partager l’énergie du toit entre les logements et les parties communes : une répartition votée, un espace pour chaque habitant, des chiffres que l’on comprend.',
  '/solutions/industrial':
    'Vendre l’énergie de vos toitures à vos voisins plutôt qu’en surplus : priorités, surplus suivi par producteur, règles d’accise et de facture.',
  '/expertise':
    'Conception solaire, prévision, règles de l’autoconsommation collective et science des données : ce qu’il faut savoir pour partager l’énergie avec justesse.',
  '/pricing':
    'Starter à 149 € par mois, Professional à 349 €, Enterprise sur devis : les formules de Voisol selon vos points de mesure, options et garanties.',
  '/features':
    'Répartition, mesures, études et portail : les quatre grandes fonctions de Voisol montrées sur de vrais écrans, et les formats de fichiers reconnus.',
  '/solutions/autoconsommation-collective':
    'Comment un toit alimente ses voisins par le réseau public : le principe, les rôles, le prix, les taxes, et une journée réelle au quart d’heure.',
  '/solutions/optimisation-energetique':
    'La clé, les heures, les voisins : trois leviers chiffrés pour augmenter l’autoconsommation d’une opération sans ajouter un seul panneau.',
  '/solutions/gestion-intelligente':
    'Entrées, sorties, clés datées, consentements et contrôles : le dossier d’une opération d’autoconsommation collective tenu à jour sans tableur.',
  '/solutions/analytics-predictions':
    'Taux, surplus, complétude, performance des centrales et prévision solaire : des indicateurs avec leur formule, des prévisions avec leur marge.',
  '/solutions/sur-mesure':
    'Plusieurs producteurs, batterie, dérogation territoriale, patrimoine, tarif solidaire, intégrations : les opérations qui sortent de l’ordinaire.',
  '/solutions-commerciales':
    'De la démonstration de 30 minutes au premier kilowattheure : l’offre qui correspond à votre situation, les étapes, et ce que Voisol ne vend pas.',
  '/expertise/conception':
    'Dimensionner une installation partagée : ce que change chaque kilowatt-crête, chaque voisin, chaque orientation, calculé heure par heure.',
  '/expertise/reglementaire':
    'Périmètre de 2, 10 ou 20 km, limite de 5 MW, accise, TVA, TURPE, convention : les règles de l’autoconsommation collective, avec leurs textes.',
  '/expertise/intelligence-artificielle':
    'Prévoir la production solaire avec sa marge, repérer ce qui cloche, proposer sans décider : comment Voisol emploie l’intelligence artificielle.',
  '/expertise/data-science':
    'Changements d’heure, trous, corrections, arrondis : comment des millions de quarts d’heure sont reçus, vérifiés et répartis sans en perdre un.',
  '/about':
    'Voisol mesure, répartit et explique l’énergie solaire partagée entre voisins. Ce à quoi nous tenons, et les six métiers de l’équipe.',
  '/careers':
    'Comment nous travaillons, ce que l’on apprend et comment se passe une candidature spontanée chez Voisol, plateforme de partage d’énergie.',
  '/partners':
    'Installateurs, bureaux d’études, assistants à maîtrise d’ouvrage, syndics, collectivités, intégrateurs : travailler avec Voisol, et dans quels formats.',
  '/test-nav':
    'La liste de toutes les adresses publiques de Voisol, rangées comme dans le menu, pour vérifier chacune.',
  '/status': 'La disponibilité de Voisol, mesurée en continu : site, base de données, file de tâches et messagerie.',
  '/api-docs':
    'Authentification, opérations, données d’énergie et webhooks\u00a0: chaque appel avec ses paramètres, ses exemples et un essai sur la démonstration.',
  '/contact':
    'Écrivez-nous, choisissez un créneau de démonstration de trente minutes ou simulez votre projet d’autoconsommation collective.',
  '/newsletter': 'S’abonner à la lettre mensuelle de Voisol, confirmer son abonnement ou y mettre fin en un clic.',
  '/rejoindre':
    'Suivre sa demande pour rejoindre une opération d’énergie solaire partagée, la signer ou la retirer, par le lien reçu.',
  '/rejoindre/:slug':
    'Une opération d’énergie solaire partagée à rejoindre\u00a0: qui partage, à quel prix, et comment en faire partie.',
  '/resources':
    'Guides, questions, livres blancs, études de cas, webinaires et documentation\u00a0: de quoi comprendre et mener une autoconsommation collective.',
  '/resources/documentation':
    'Guide d’utilisation, API, formats de courbes et règles de calcul\u00a0: tout ce qui décrit Voisol, pour ceux qui l’utilisent et ceux qui s’y branchent.',
  '/documentation':
    'Guide d’utilisation, API, formats de courbes et règles de calcul\u00a0: tout ce qui décrit Voisol, pour ceux qui l’utilisent et ceux qui s’y branchent. Une seule page pour tout retrouver.',
  '/resources/guides':
    'Monter une opération, convaincre son assemblée générale, choisir la personne morale organisatrice, préparer la convention\u00a0: pas à pas.',
  '/resources/guides/:slug': 'Un guide pratique de l’autoconsommation collective.',
  '/resources/actualites':
    'Les règles, les tarifs et les données de l’énergie partagée changent\u00a0: ce qu’il faut en retenir, avec les dates et les sources.',
  '/resources/actualites/:slug': 'Un article sur l’autoconsommation collective.',
  '/resources/webinaires':
    'Quarante-cinq minutes sur un sujet précis, avec une démonstration et vos questions\u00a0: les prochaines dates et l’inscription gratuite.',
  '/resources/webinaires/:slug': 'Un webinaire sur l’autoconsommation collective.',
  '/resources/faq':
    'Périmètre, part de chacun, prix, taxes, données Enedis\u00a0: les réponses aux questions que l’on se pose avant de partager l’énergie d’un toit.',
  '/faq':
    'Périmètre, part de chacun, prix, taxes, données Enedis\u00a0: les réponses aux questions que l’on se pose avant de partager l’énergie d’un toit. Une réponse courte à chacune.',
  '/white-papers':
    'Cadre, méthode, clés de répartition, données de comptage\u00a0: des dossiers complets à lire en ligne ou à recevoir en PDF.',
  '/white-papers/:slug': 'Un livre blanc sur l’autoconsommation collective.',
  '/case-studies':
    'Une copropriété, un éco-quartier, une zone d’activité\u00a0: trois opérations d’exemple décrites de leur structure à leur méthode de partage.',
  '/case-studies/:slug': 'Une étude de cas d’autoconsommation collective.',
  '/blog':
    'Des analyses avec leurs calculs\u00a0: choisir une clé, dimensionner un toit, lire un taux d’autoconsommation, traiter un trou de données.',
  '/user-guide':
    'Cinq groupes de guides courts, avec leur temps de lecture\u00a0: premiers pas, opérations, données, répartition et portail client.',
  '/user-guide/:slug': 'Une page du guide d’utilisation de Voisol.',
  '/legal/mentions-legales': 'L’éditeur du site, son hébergement et la façon de nous joindre.',
  '/legal/cgu': 'Les règles d’usage de la plateforme Voisol.',
  '/rgpd': 'Ce que nous faisons de vos données personnelles, et vos droits.',
  '/accessibilite': 'L’état d’accessibilité du site et de la plateforme, et comment nous signaler une difficulté.',
}
