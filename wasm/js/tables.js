// Tables of the core. Written by a unit test of `payspec`: BLESS=1 cargo xtask test core

/** The rules by their index: code, source after `!` for a warning, message, and parameters unless they are those of the message. */
export const RULES = /* @__PURE__ */ `json_syntax|§4.1|invalid JSON or UTF-8 at line {line}, column {column}~\
body_too_large|D14|the body is larger than {limit} bytes~\
too_deep|D14|objects and arrays nest deeper than {limit} levels~\
duplicate_member|D6|the member is repeated in its object~\
type|§2|wrong JSON type: expected {expected}, found {found}~\
missing|D5|the member is required~\
unsupported_value|§2.2|unsupported value: expected one of {allowed}~\
unknown_member|!D6|not a member of the interface~\
legacy_member|!§9.2|a member of the legacy API|replaced_by~\
variant_mismatch|!§2.2|not used with this payment_type~\
amount_syntax|§2.2|not a decimal amount such as 100.00~\
amount_not_positive|D6|the amount must be greater than zero~\
amount_scale|D6|the currency has {minor_unit} fraction digits~\
amount_out_of_bounds|D14|the amount is out of bounds|integer_digits,fraction_digits,min,max~\
currency_unknown|§2.2|not an active ISO 4217 code in upper case~\
currency_not_allowed|D6|the currency is not accepted: expected one of {allowed}~\
currency_not_fiat|§2.2|not a currency~\
uri_syntax|§2.2|not a valid absolute URI: invalid {reason}~\
uri_scheme|D6|the scheme of the URI must be one of {allowed}|allowed,refused~\
uri_credentials|D6|the URI must not contain a user name or password~\
uri_private_host|!D11|the host is a private address~\
text_empty|!D31|the text is empty and counts as absent~\
text_too_long|D14|longer than the limit of {limit}~\
text_control_character|D6|the text contains a control character~\
card_number_syntax|D6|a card number has 12 to 19 digits~\
card_number_checksum|D6|the card number's check digit does not match~\
card_expired|D6|the card has expired~\
expiry_month_range|D6|the month must be {min} to {max}~\
expiry_year_range|D6|the year must be {min} to {max}~\
expiry_year_two_digits|!D23|two-digit year, read as 20YY~\
security_code_syntax|D6|not a security code: 3 digits, 4 for American Express|min,max~\
phone_number_syntax|D6|not a phone number of 7 to 15 digits, with or without +~\
integer_range|D15|the number must be {min} to {max}~\
host2host_without_card|!§1.3|host-to-host mode with a bank card requires card data~\
card_without_host2host|!§1.3|card data is used in host-to-host mode only~\
recipient_incomplete|!§2.2|required to identify the recipient~\
merchant_not_allowed|D28|the credential does not allow this merchant_id~\
card_number_in_text|!D6|the text contains a likely card number~\
field_currency|§1.4|a payment in USDT has requested_amount and a fiat requested_currency~\
state_inconsistent|§3|contradicts the state: a completed payment has paid_at, an idle one neither paid_at nor fail_by~\
failure_unexplained|!§7|a failed payment should have fail_by and fail_code~\
unmasked_card_number|§2.1|info must not contain a full card number~\
info_type|§9.2|expected an object; the legacy API had a string~\
amount_identity|!D21|the amounts do not add up~\
answer_mismatch|§2.1|does not match the request`.split("~");

/** The fields by their slot. Each name ends with a character for its type, each object with a space. */
export const FIELDS = "payment_type mode cur amount subtype merchant_id user_id user_name callback redirect_url bank_name host2host!description time_to_complete_payment#pay_out_details{pay_in_details{system* bank_name full_name card_number phone_number  card{bank_name  card_holder card_number expiry_year#expiry_month#security_code ";

/** The successors of the legacy members, by the index of their object and their name. */
export const LEGACY = {"0credentials":"pay_in_details","0recipient_credentials":"pay_out_details","0currency":"cur","0return_url":"redirect_url","0idempotency_key":"Idempotency-Key header","0widget":null,"0campaign_key":null,"0traffic_type":null,"0payer_email":null,"0payer_title":null,"0recipient_account":null,"0recipient_email":null,"0system":null,"3payer_account":null};

/** The types of values. */
export const KINDS = /* @__PURE__ */ `nothing null boolean number string array object`.split(" ");

/** The variants. */
export const VARIANTS = /* @__PURE__ */ `pay_in pay_out`.split(" ");

/** The modes. */
export const MODES = /* @__PURE__ */ `P2P ACQUIRING CRYPTO`.split(" ");

/** The payment methods. */
export const SUBTYPES = /* @__PURE__ */ `bank_card sbp`.split(" ");

/** The parts of a URI. */
export const URI_PARTS = /* @__PURE__ */ `scheme character host port`.split(" ");

/** The card schemes: name, name and length of the security code, and the longest number with short groups. */
export const SCHEMES = /* @__PURE__ */ `visa|CVV|3 mastercard|CVC|3 american_express|CID|4|19 mir|CVP2|3 unionpay|CVN|3 jcb|CAV|3 discover|CID|3 diners_club|CVV|3|14 maestro|CVC|3 elo|CVE|3 hipercard|CVC|3 verve|CVV|3 troy|CVV|3 uzcard|CVV|3 humo|CVV|3`.split(" ");

/** The states. */
export const STATES = /* @__PURE__ */ `idle routed completed not_fully fail cancel chargeback correction`.split(" ");

/** The roundings. */
export const ROUNDINGS = /* @__PURE__ */ `half_even half_up half_down up down`.split(" ");

/** The default policy. */
export const DEFAULTS = {"severity":{},"required":[],"limits":{"body_bytes":65536,"depth":16,"violations":64,"text_chars":255,"description_chars":1024,"uri_bytes":2048,"amount":{},"time_to_complete_payment":{"min":1,"max":9007199254740991}},"currencies":null,"urls":{"schemes":["https","http"]},"crypto":{"scale":6,"rounding":"half_even","max_quote_age_ms":60000},"idempotency":{"window_ms":1000},"invalid_request_status":422,"fingerprint_key":null,"transitions":"open"};

/** The rules whose severity cannot be set. */
export const FIXED = /* @__PURE__ */ `json_syntax body_too_large too_deep type`.split(" ");
