/** What somebody might ask of the harbour's system, in everyday words, with the operations that are right. */
const TABLE = `
which berths are there|listBerths
show me berth 14|getBerth
add a new berth at the east quay|createBerth
berth 3 was dredged, correct its depth|updateBerth
berth 9 no longer exists, remove it|deleteBerth
book a berth for the Aurora from Monday to Thursday|reserveBerth
our booking is off, please cancel the reservation|cancelReservation
who has reserved next week|listReservations
is there room for a ship of 180 metres tomorrow? find a free berth|findFreeBerths
list all vessels under Norwegian flag|listVessels
how long is the vessel Aurora|getVessel
register the new ferry as a vessel|registerVessel
the vessel has a new name, update it|updateVessel
delete the scrapped vessel|deleteVessel
where is the Aurora right now? current position|getVesselPosition
show the positions of the vessel during the last day|getVesselTrack
which certificates of this ship expire soon|listVesselCertificates
upload the scan of a safety certificate|uploadVesselCertificate
announce that we arrive on Friday|announceArrival
which vessels are expected today|listPortCalls
details of port call 551|getPortCall
we are late, change our arrival time to 18:00|updateArrivalTime
the ship has left, record its departure|recordDeparture
we need a pilot at six|requestPilot
which pilots are on duty tonight|listPilots
give this pilot request to pilot Hansen, assign it|assignPilot
we do not need the pilot any more, cancel the request|cancelPilotRequest
order two tugs|orderTug
are any tugs available|listTugs
what is the schedule of tug Max|getTugSchedule
all containers of this port call|listContainers
look up container MSKU1234567|getContainer
track my container, what happened to it|trackContainer
move the container to row 7|moveContainer
release the container so that the carrier can pick it up|releaseContainer
hold this container, it must not leave|holdContainer
file the cargo manifest|createManifest
show me the manifest|getManifest
declare dangerous goods|declareDangerousGoods
is there hazardous cargo in the harbour|listDangerousGoods
submit our customs declaration|submitCustomsDeclaration
has customs cleared our declaration? check its status|getCustomsStatus
pay the customs duty|payCustomsDuty
when is high water tomorrow|getTides
tides at the northern station|getTides
how strong is the wind at the entrance|getWeather
what is the weather like in the next hours|getWeather
current water level|getWaterLevel
are there warnings for mariners|listNavigationWarnings
warn everybody of a drifting buoy: publish a navigation warning|publishNavigationWarning
the buoy is found, withdraw the warning|withdrawNavigationWarning
who is in the crew of the Aurora|listCrewMembers
add the new cook to the crew list|addCrewMember
remove the second officer from the crew|removeCrewMember
our engineer wants to go ashore, apply for shore leave|requestShoreLeave
show issued shore passes|listShorePasses
schedule an inspection of the vessel|scheduleInspection
which inspections are planned|listInspections
download the inspection report|getInspectionReport
the inspector found a broken lifeboat, note the deficiency|recordDeficiency
detain the vessel|detainVessel
the defects are repaired, lift the detention|liftDetention
report an oil spill|reportIncident
there was an accident on quay 2, report it|reportIncident
list serious incidents of last year|listIncidents
close the incident|closeIncident
attach a photo of the damage to the incident|attachIncidentPhoto
which invoices are still open|listInvoices
show invoice 2024-118|getInvoice
make an invoice for this port call|createInvoice
that invoice was wrong, void it|voidInvoice
the money came in, record the payment|recordPayment
remind the customer of the unpaid invoice|sendInvoiceReminder
what are the charges this year? show tariffs|listTariffs
how much would a stay of 30 hours cost? calculate the dues|calculateHarbourDues
who has access to the system, list users|listUsers
invite a colleague by email|inviteUser
she quit, deactivate her user|deactivateUser
make him an administrator, change his role|changeUserRole
forgot my password, reset it|resetPassword
create an api key for our script|createApiKey
a key leaked, revoke it|revokeApiKey
list the api keys|listApiKeys
which webhooks do we have|listWebhooks
send events to my url by webhook|createWebhook
delete the webhook|deleteWebhook
who changed this? show the audit log|getAuditLog
occupancy of the berths in May|getOccupancyReport
how many tonnes of cargo did we handle, statistics|getCargoStatistics
emissions report of last year|getEmissionsReport
export the port calls as csv|exportPortCalls
connect the ship to shore power|connectShorePower
disconnect shore power|disconnectShorePower
order 20 cubic metres of drinking water|orderFreshWater
order fuel|orderBunkers
we need bunkers|orderBunkers
have our garbage collected|requestWasteCollection
passage through the lock please|openLock
how long is the queue at the lock|getLockQueue
when do the bridges open|listBridgeOpenings
request that the bridge is opened at noon|requestBridgeOpening
getVesselTrack|getVesselTrack
list_invoices|listInvoices
DELETE /webhooks|deleteWebhook
GET /berths/{berthId}|getBerth
revoked keys|revokeApiKey,listApiKeys
shorepower|connectShorePower,disconnectShorePower
port-call export|exportPortCalls
announce our arrival and order a tug|announceArrival,orderTug
cancel the reservation and tell me which other berths are free|cancelReservation,findFreeBerths
release the container, then pay the duty|releaseContainer,payCustomsDuty
get the weather and the tides for tomorrow|getWeather,getTides
find the vessel's position. Is it detained? If so lift the detention.|getVesselPosition,liftDetention
invite the new agent; then change the role of the old one|inviteUser,changeUserRole
Could you please help me to find out which pilots are available today?|listPilots
Hello, I would like to know the opening times of bridges, thanks|listBridgeOpenings
I am the master of a vessel and we have waste on board that needs collection|requestWasteCollection
I want to see all reservations of the vessel|listReservations
convert nothing, just show me recorded incidents|listIncidents
ships in port today|listPortCalls
remove user access|deactivateUser
modify berth|updateBerth
new vessel|registerVessel`;

export interface HarbourIntent {
  readonly text: string;
  readonly right: readonly string[];
}

export const INTENTS: readonly HarbourIntent[] = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [text, right] = line.split('|') as [string, string];
    return { text, right: right.split(',') };
  });
