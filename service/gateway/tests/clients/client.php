<?php
// A client in PHP, with the package that openapi-generator generates. Prints what the service answers.
//
// The body is a pay-in: the class of the creation request sends its own name as `payment_type`.

declare(strict_types=1);

use OpenAPI\Client\Api\PartnerApi;
use OpenAPI\Client\Api\PaymentsApi;
use OpenAPI\Client\ApiException;
use OpenAPI\Client\Configuration;
use OpenAPI\Client\Model\Currency;
use OpenAPI\Client\Model\Mode;
use OpenAPI\Client\Model\PaymentCreatePayInSchema;
use OpenAPI\Client\Model\Subtype;
use OpenAPI\Client\Model\Violation;

require getenv('PAYSPEC_GUZZLE') ?: '/usr/share/php/GuzzleHttp/autoload.php';
spl_autoload_register(function (string $class): void {
    $path = str_replace(['OpenAPI\\Client\\', '\\'], ['', '/'], $class);
    require __DIR__ . "/php/lib/$path.php";
});

[, $baseUrl, $token] = $argv;
$configuration = (new Configuration())->setHost($baseUrl)->setAccessToken($token);
$payments = new PaymentsApi(config: $configuration);
$partner = new PartnerApi(config: $configuration);

function body(string $amount): PaymentCreatePayInSchema
{
    return new PaymentCreatePayInSchema([
        'payment_type' => 'pay_in', 'mode' => Mode::P2_P, 'subtype' => Subtype::SBP, 'cur' => Currency::RUB, 'amount' => $amount,
    ]);
}

/** Returns the status and the problem of a call that the service rejects. */
function rejected(callable $call): array
{
    try {
        $call();
    } catch (ApiException $error) {
        return [$error->getCode(), $error->getResponseObject()];
    }
    throw new LogicException('the service accepts the request');
}

[$created, $status] = $payments->createPaymentWithHttpInfo(body('1500.00'), 'order-1007');
echo "$status {$created->getState()} {$created->getAmount()}\n";

// At once, within the window of the key.
[$status, $problem] = rejected(fn () => $payments->createPayment(body('1600.00'), 'order-1007'));
echo "$status {$problem->getCode()}\n";

[$read, $status] = $payments->readPaymentWithHttpInfo($created->getUid());
echo $status, $read->getUid() === $created->getUid() ? " true\n" : " false\n";

// The setter of the model rejects the amount, so the array is changed.
$invalid = body('1.00');
$invalid['amount'] = '-5';
[$status, $problem] = rejected(fn () => $payments->createPayment($invalid));
$violations = array_map(fn (Violation $violation) => "{$violation->getCode()} {$violation->getPath()}", $problem->getViolations());
echo "$status ", implode(',', $violations), "\n";

[$balance, $status] = $partner->readBalanceWithHttpInfo();
echo "$status {$balance->getCur()}\n";

$stranger = new PartnerApi(config: (new Configuration())->setHost($baseUrl));
[$status, $problem] = rejected(fn () => $stranger->readBalance());
echo "$status {$problem->getCode()}\n";
